"""Pictures, with matplotlib: the extra ``plot``. ``csig.plots`` has those for users.

Every one takes ``ax=`` and returns the Axes. What is drawn on new axes is in the house style of
``csig.report.style``, on a figure that pyplot knows nothing of.
"""
