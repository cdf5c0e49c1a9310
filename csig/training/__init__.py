"""Chance in the training data: what other samples of it would have given.

`training_distribution` trains on many samples, `resample_training` makes them.
"""

from csig.training.distribution import TrainingDistribution
from csig.training.running import training_distribution
from csig.training.sampling import resample_training

__all__ = ["TrainingDistribution", "resample_training", "training_distribution"]


def __dir__() -> list[str]:
    return __all__
