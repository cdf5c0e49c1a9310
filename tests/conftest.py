"""What several tests share."""

import gc
import itertools
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import drawn
import pytest
from hypothesis import settings
from remembered import generators, tails


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all", action="store_true", help="the slow tests too, and all the examples of every test"
    )


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):  # no process compiles again what one has
        compiled = tempfile.TemporaryDirectory()
        os.environ["PYTHONPYCACHEPREFIX"] = compiled.name
        config.add_cleanup(compiled.cleanup)
    drawn.everything = config.getoption("all")
    # A deadline per example measures the machine, not the code. A change is judged by the same
    # examples however often it is judged (CI is set); by hand there are new ones every time.
    settings.register_profile(
        "csig", deadline=None, derandomize="CI" in os.environ, max_examples=drawn.several(30, 100)
    )
    settings.load_profile("csig")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow tests, unless all are asked for."""
    if not config.getoption("all"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in set(slow)]


def pytest_collection_finish() -> None:
    """What was collected stays to the end: Python need not look through it again and again."""
    gc.collect()
    gc.freeze()


NUMBERS = itertools.count()


@pytest.fixture(name="tmp_path")
def empty_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For each test; pytest's own looks through the names of all others for every one."""
    folder = tmp_path_factory.getbasetemp() / f"own{next(NUMBERS)}"
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Give a function from the name of a data set to its folder; without one, skip.

    The data sets are not part of the project. They are looked for in the folder that
    the variable CSIG_TEST_DATA names, else in ``shared/data`` beside the checkout.
    """
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    root = Path(os.environ.get("CSIG_TEST_DATA") or default)

    def folder(name: str) -> Path:
        path = root / name
        if not path.is_dir():
            pytest.skip(f"no test data {name!r} (set CSIG_TEST_DATA to the folder with it)")
        return path

    return folder


@pytest.fixture(scope="module")
def remembered() -> Iterator[None]:
    """What commands and audits ask for again and again is computed once."""
    with generators(), tails():
        yield


@pytest.fixture(name="known", scope="session")
def worked_examples(shared_data: Callable[[str], Path]) -> Any:
    """Printed numbers of many tests, each with the place where it is printed."""
    path = shared_data("worked_examples") / "worked_examples.json"
    return json.loads(path.read_text(encoding="utf-8"))
