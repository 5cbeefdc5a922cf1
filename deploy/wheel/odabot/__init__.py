"""The one name that the wheel installs.

Our packages lie below ``_source`` in the wheel, so that installing it adds neither ``bot``
nor ``agent`` nor ``sandbox`` to anyone's imports. In a checkout they are found beside it.
"""

import sys
from pathlib import Path

_SOURCE = Path(__file__).parent / "_source"


def main() -> None:
    """Run the ``odabot`` command."""
    if _SOURCE.is_dir():
        sys.path.insert(0, str(_SOURCE))
    from bot.__main__ import main as run

    run()
