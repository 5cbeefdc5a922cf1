"""Which isolation this host can have, found out by starting it and trying to get out."""

import logging
from collections.abc import Callable

from sandbox.bubblewrap import BubblewrapSandbox
from sandbox.errors import SandboxUnavailable
from sandbox.gvisor import GvisorSandbox
from sandbox.runner import Sandbox
from sandbox.self_check import escaped
from sandbox.settings import SandboxSettings

_log = logging.getLogger(__name__)

Maker = Callable[[SandboxSettings], Sandbox]

# Strongest first. gVisor's kvm platform is left out: it hangs on virtual machines.
CANDIDATES: tuple[tuple[str, str, Maker], ...] = (
    ("gvisor", "gvisor (systrap)", lambda settings: GvisorSandbox(settings, "systrap")),
    ("gvisor", "gvisor (ptrace)", lambda settings: GvisorSandbox(settings, "ptrace")),
    ("bubblewrap", "bubblewrap", BubblewrapSandbox),
)


def first_working(
    settings: SandboxSettings, candidates: tuple[tuple[str, str, Maker], ...] = CANDIDATES
) -> Sandbox:
    """The strongest sandbox that starts here and holds; close it when done.

    Raises SandboxUnavailable, saying why for each, when none does, or when the isolation that
    the settings name does not.
    """
    reasons: dict[str, str] = {}
    for isolation, name, make in candidates:
        if settings.isolation in ("auto", isolation):
            try:
                sandbox = _sound(make, settings)
            except SandboxUnavailable as reason:
                reasons[name] = str(reason)
                continue
            extra = {"action": "sandbox-chosen", "sandbox": name, "passed_over": reasons}
            _log.info("Code runs in %s", name, extra=extra)
            return sandbox
    tried = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
    raise SandboxUnavailable(f"no sandbox works on this host ({tried})")


def _sound(make: Maker, settings: SandboxSettings) -> Sandbox:
    try:
        sandbox = make(settings)
    except OSError as error:
        raise SandboxUnavailable(str(error)) from error
    held = False
    try:
        ways = escaped(sandbox)
        held = not ways
    finally:
        if not held:
            sandbox.close()
    if ways:
        raise SandboxUnavailable(f"its check got out by {', '.join(ways)}")
    return sandbox
