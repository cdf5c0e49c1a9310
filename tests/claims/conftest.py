"""What tests of claims share: the claims of the paper, and their findings."""

import pytest

from csig.claims import read_claims
from csig.claims.checker import check_claims


@pytest.fixture(scope="session")
def paper(request):
    return read_claims(request.config.rootpath / "examples" / "yeh2000-claims.toml")


@pytest.fixture(scope="session")
def report(paper):
    return check_claims(paper)
