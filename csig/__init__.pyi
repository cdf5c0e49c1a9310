from csig import (
    advice as advice,
)
from csig import (
    claims as claims,
)
from csig import (
    classical as classical,
)
from csig import (
    datasets as datasets,
)
from csig import (
    effects as effects,
)
from csig import (
    intervals as intervals,
)
from csig import (
    metrics as metrics,
)
from csig import (
    plots as plots,
)
from csig import (
    rankings as rankings,
)
from csig import (
    replay as replay,
)
from csig import (
    training as training,
)
from csig._version import __version__ as __version__
from csig.advice.recommend import recommend as recommend
from csig.answers.compare import compare as compare
from csig.audits.audit import audit as audit
from csig.audits.verify import verify as verify
from csig.base.config import show_config as show_config
from csig.base.errors import DataWarning as DataWarning
from csig.base.errors import InputError as InputError
from csig.comparing.randomization import randomization_test as randomization_test
from csig.data.comparison import Comparison as Comparison
from csig.data.metrics import Metric as Metric
from csig.datasets.comparing import compare_datasets as compare_datasets
from csig.rankings.methods import rank_methods as rank_methods
from csig.readers.reading import read as read
from csig.systems.ranking import compare_systems as compare_systems
