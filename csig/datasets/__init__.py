"""Many systems over many data sets."""

from csig.datasets.comparing import DatasetPair, DatasetsResult, compare_datasets
from csig.datasets.pairs import OverallTest

__all__ = ["DatasetPair", "DatasetsResult", "OverallTest", "compare_datasets"]


def __dir__() -> list[str]:
    return __all__
