"""What a program may analyse with: each imports and works inside, under the limits of a job."""

from collections.abc import Iterator

import pytest

from agent.code_execution import LIBRARIES, InSandbox, libraries_there
from sandbox.choose import first_working
from sandbox.errors import SandboxUnavailable
from sandbox.job import JobStatus, Limits
from sandbox.runner import Sandbox
from sandbox.settings import SandboxSettings

WORK = {
    "numpy": """
import numpy as np
print(np.linalg.svd(np.ones((400, 400)))[1][0])
""",
    "pandas": """
import pandas as pd
pd.DataFrame({"a": [1]}).to_parquet("/out/a.parquet")
print(pd.read_parquet("/out/a.parquet").a.sum())
""",
    "polars": """
import polars as pl
print(pl.DataFrame({"a": range(99)}).group_by("a").len().height)
""",
    "matplotlib": """
from matplotlib import pyplot as plt
plt.plot([1, 2])
plt.savefig("a.png")
""",
    "scipy": """
from scipy import optimize, stats
print(stats.linregress([1, 2, 3], [2, 4, 6]).slope)
print(optimize.curve_fit(lambda x, a: a * x, [1.0, 2.0], [3.0, 6.0])[0])
""",
    "scikit-learn": """
import numpy as np
from sklearn.cluster import KMeans
from sklearn.ensemble import RandomForestRegressor
data = np.arange(900.0).reshape(300, 3)
print(KMeans(3, n_init=1, random_state=0).fit(data).inertia_)
RandomForestRegressor(20, n_jobs=2, random_state=0).fit(data, data[:, 0])
""",
    "seaborn": """
import pandas as pd
import seaborn as sns
sns.violinplot(pd.DataFrame({"a": [1.0, 2, 3]})).figure.savefig("/out/b.png")
""",
    "statsmodels": """
import numpy as np
import statsmodels.api as sm
from statsmodels.tsa.seasonal import seasonal_decompose
x = np.arange(50.0)
print(sm.OLS(x * 2, sm.add_constant(x)).fit().params[1])
print(seasonal_decompose(np.sin(x), period=6).trend[10])
""",
    "openpyxl": """
from openpyxl import Workbook
Workbook().save("/tmp/a.xlsx")
""",
}


@pytest.fixture(scope="module", params=["bubblewrap", "gvisor"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    try:
        made = first_working(SandboxSettings(isolation=request.param))
    except SandboxUnavailable as reason:
        pytest.skip(str(reason))
    yield made
    made.close()


def test_all_are_installed_where_tests_run(sandbox: Sandbox) -> None:
    assert libraries_there(InSandbox(sandbox, Limits())) == tuple(LIBRARIES)


@pytest.mark.parametrize("name", LIBRARIES)
def test_works_under_the_limits(sandbox: Sandbox, name: str) -> None:
    result = InSandbox(sandbox, Limits(), "ada").execute(WORK[name], ())

    assert result.status is JobStatus.FINISHED, result.stderr
    assert result.stderr == ""


def test_all_at_once_fit_into_the_address_space(sandbox: Sandbox) -> None:
    result = InSandbox(sandbox, Limits(), "ada").execute("\n".join(WORK.values()), ())

    assert result.status is JobStatus.FINISHED, result.stderr


def test_a_warm_interpreter_has_one_thread(sandbox: Sandbox) -> None:
    modules = SandboxSettings().warm_modules
    code = "\n".join(f"import {module}" for module in modules)
    code += "\nimport os\nprint(len(os.listdir('/proc/self/task')))"

    result = InSandbox(sandbox, Limits()).execute(code, ())

    assert result.stdout == "1\n", result.stderr
