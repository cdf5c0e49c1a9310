"""Reports on a terminal, with rich.

Names and messages are :class:`rich.text.Text`, never markup, so that a system called
``[red]x[/red]`` shows as that. Apart from the names only ASCII is printed; rich replaces
the lines of the tables where the terminal cannot show them.
"""
