"""What a command takes in a process of its own: its status, its message and its peak of memory."""

import os
from dataclasses import dataclass

import pytest
from children import python

#: The peak of the process itself: that of getrusage is its parent's, where that is larger.
_CODE = """
import sys
{code}
with open("/proc/self/status") as file:
    print(*[line.split()[1] for line in file if line.startswith("VmHWM")])
"""

_COMMAND = """
from csig.cli import main
sys.argv[0] = "csig"
try:
    main()
except SystemExit as end:
    print(end.code)
"""

#: No bomb may take more, in MB; Python with numpy and csig takes some 50 of them.
MOST_MEGABYTES = 300

needs_proc = pytest.mark.skipif(
    not os.path.exists("/proc/self/status"), reason="needs /proc for the peak of memory"
)


@dataclass(frozen=True)
class Taken:
    """What a process printed, and its peak in MB."""

    output: list[str]
    error: str
    megabytes: float


def taken(code: str, *arguments: object) -> Taken:
    """Run some lines of Python."""
    done = python(_CODE.format(code=code), *arguments)
    assert done.returncode == 0, done.stderr
    *output, peak = done.stdout.splitlines()
    return Taken(output, done.stderr, int(peak) / 1000)


def command(*arguments: object) -> Taken:
    """Run the command line; the last line of the output is its status."""
    return taken(_COMMAND, *arguments)
