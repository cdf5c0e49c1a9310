"""Help: a screen, a page, everything; no option without a place, and no word broken."""

import re

import click
import pytest
from click.testing import CliRunner

from csig.cli.app import COMMANDS, program
from csig.cli.help import Command, Option, listing
from csig.cli.options import OPTIONS


def command(name: str) -> Command:
    found = program.get_command(click.Context(program), name)
    assert isinstance(found, Command)
    return found


def page(*arguments: str, columns: int = 80) -> list[str]:
    """The lines that are printed in a terminal of that width."""
    result = CliRunner().invoke(program, list(arguments), prog_name="csig", terminal_width=columns)
    assert result.exit_code == 0, result.output
    return str(result.stdout).splitlines()


def options(name: str) -> list[click.Option]:
    own = command(name)
    found = own.get_params(click.Context(own, info_name=name))
    return [option for option in found if isinstance(option, click.Option)]


def long_name(option: click.Option) -> str:
    """The name that starts with two hyphens."""
    return next(name for name in option.opts if name.startswith("--"))


def test_the_first_page_fits_a_screen_and_names_every_command():
    lines = page("--help")
    assert len(lines) <= 23  # and the prompt
    assert max(map(len, lines)) <= 80
    for name in COMMANDS:
        assert any(line.startswith(f"  {name} ") for line in lines)
    assert page() == page("-h") == lines


def test_every_option_is_one_of_a_command():
    taken = {(name, long_name(option)) for name in COMMANDS for option in options(name)}
    for names, declared in [pair for group in OPTIONS.values() for pair in group.items()]:
        long = next(word for word in names.split() if word.startswith("--")).split("/")[0]
        assert long in {option for _, option in taken}
        if "help" not in declared:  # and so is every kind of it
            for command_names in declared:
                for name in command_names.split():
                    assert (name, long) in taken


@pytest.mark.parametrize("name", COMMANDS)
def test_all_help_has_all_options_and_breaks_no_word(name: str):
    words = []
    for columns in (60, 80, 200):
        lines = page(name, "--help-all", columns=columns)
        assert max(map(len, lines)) <= columns
        text = " ".join(" ".join(lines).split())
        for option in options(name):
            assert option.help
            assert option.show_default or option.default is not True
            for own in (*option.opts, *option.secondary_opts):
                assert re.search(rf"(?<![\w-]){own}(?![\w-])", text)
            assert " ".join(option.help.split())[:40] in text
            assert isinstance(option, Option) or long_name(option) in ("--help", "--help-all")
        words.append(sorted(word for word in re.split(r"[\s|\\]+", " ".join(lines)) if word))
    assert words[0] == words[1] == words[2]


@pytest.mark.parametrize(
    "name", [own for own in COMMANDS if own not in ("train", "verify", "demo")]
)
def test_help_has_examples_first_then_what_most_people_need(name: str):
    lines = page(name, "--help")
    heads = [line for line in lines if re.fullmatch(r"\w.*:", line)]
    assert [*heads[:2], heads[-1]] == ["Examples:", "Input:", "Output:"]
    shown = [line for line in lines if line.startswith("  -")]
    there = [option for option in options(name) if isinstance(option, Option)]
    assert len(shown) == len([option for option in there if option.brief]) <= 18
    assert lines[-1] == f"csig {name} --help-all shows all {len(there) + 2} options."


def test_a_long_example_goes_on_as_a_shell_reads_it():
    lines = page("compare", "--help-all", columns=60)
    examples = "\n".join(lines).partition("Examples:\n")[2].partition("\n\n")[0]
    joined = examples.replace("\\\n", " ").splitlines()
    assert [line.split() for line in joined] == [
        line.split() for line in (command("compare").epilog or "").splitlines()[1:]
    ]


def test_an_argument_is_explained_for_its_command():
    assert any("GOLD A B" in line for line in page("compare", "--help"))
    lines = page("datasets", "--help")
    assert any("TABLE" in line and "One row per data set" in line for line in lines)
    assert not any("GOLD" in line for line in lines)


def test_a_list_of_choices_is_broken_between_them():
    lines = list(listing([("--unit [response|conflict|token]", "what")], 24, 8))
    assert lines == ["  --unit [response|", "      conflict|token]", "        what"]


@pytest.mark.parametrize("name", ["systems", "recommend"])
def test_all_pairs_are_the_default_where_they_are(name: str):
    """Only csig compare and its kin take the first system for the baseline."""
    said = " ".join(" ".join(page(name, "--help-all")).split())
    assert "[default: all pairs]" in said
    assert "the first]" not in said
    assert "is the baseline" not in said
