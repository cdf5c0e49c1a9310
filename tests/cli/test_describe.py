"""``csig describe``: the figures of files, as what they are read, and what is suspicious."""

import shlex

import pytest
from commands import record, run, write


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        (["id,x,y", "1,0.5,1", "2,0.75,0"], []),
        (["uid;t;x;y", "1;g;0,5;1", "2;g;0,75;0"], ["--delimiter", "semicolon", "--decimal", ",",
                                                   "--cluster", "t", "--id", "uid"]),
        (["a b,x,wer", "1,0.5,1", "2,0.75,0"], ["--id", "a b", "--system", "x", "--system", "wer",
                                                "--lower-is-better"]),
        (["id,gold,x", "1,p,p", "2,q,p"], ["--system", "x"]),
    ],
)  # fmt: skip
def test_the_command_below_a_description_reads_the_same(lines, options):
    path = write("s.csv", *lines)
    last = run("describe", path, *options).splitlines()[-1]
    program, verb, *arguments = shlex.split(last)
    assert (program, verb) == ("csig", "describe" if "gold" in lines[0] else "compare")
    assert {*options} <= {*arguments}
    assert "--system" in arguments
    first, again = (record("describe", *own) for own in ((path, *options), arguments))
    for own in (first, again):
        own.pop("options")
    assert first == again
