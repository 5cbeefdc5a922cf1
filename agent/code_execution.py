"""The port to where programs are executed, the sandbox behind it, and what it can import."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sandbox.job import Job, JobResult, JobStatus, Limits
from sandbox.runner import Sandbox

LIBRARIES = {
    "numpy": "numpy",
    "pandas": "pandas",
    "polars": "polars",
    "matplotlib": "matplotlib",
    "scipy": "scipy",
    "scikit-learn": "sklearn",
    "seaborn": "seaborn",
    "statsmodels": "statsmodels",
    "openpyxl": "openpyxl",
}
"""What a program may analyse with: the name of each distribution, and of its package."""
_LOOK = f"""
import json
from importlib.util import find_spec
print(json.dumps([name for name, package in {LIBRARIES!r}.items() if find_spec(package)]))
"""


class Executes(Protocol):
    """Executes programs where they can reach nothing but their inputs."""

    def execute(self, code: str, inputs: Sequence[Path]) -> JobResult:
        """Run ``code`` with ``inputs`` as /in/<name>; raises SandboxUnavailable."""
        ...


@dataclass(frozen=True, slots=True)
class InSandbox:
    """Executes the programs of one user in a sandbox of this process."""

    sandbox: Sandbox
    limits: Limits
    user: str = ""
    stopped: Callable[[], bool] = lambda: False
    """Whether nobody wants a result any more; what runs then is killed."""

    def execute(self, code: str, inputs: Sequence[Path]) -> JobResult:
        """Run ``code`` within the limits; raises SandboxUnavailable."""
        return self.sandbox.run(Job(code, tuple(inputs), self.limits, self.user, self.stopped))


def libraries_there(execution: Executes) -> tuple[str, ...]:
    """Those of :data:`LIBRARIES` that a program can import; raises SandboxUnavailable.

    Asked inside, because the sandbox may have an interpreter of its own.
    """
    result = execution.execute(_LOOK, ())
    try:
        found = json.loads(result.stdout)
    except ValueError:
        found = None
    if result.status is not JobStatus.FINISHED or not isinstance(found, list):
        return ()
    return tuple(name for name in LIBRARIES if name in found)
