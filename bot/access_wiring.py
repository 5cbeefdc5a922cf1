"""Settings to what stands at every entry."""

from bot.access import Groups, LocalAccess, RoleAccess
from bot.audit import AuditFiles
from bot.guard import Guard
from bot.settings import Settings
from bot.trace_values import PlainValues, secrets_in

CLOSED = (
    "no access file is named: nobody is answered on a chat platform until ODABOT_ACCESS names one"
)
"""What an operator is told at the start of a service for a chat platform."""


def build_guard(settings: Settings, members: Groups | None = None) -> Guard:
    """The guard of ``settings``; raises SettingsError where the access file cannot be used.

    ``members`` knows who is in the groups that the file gives roles to.
    """
    values = PlainValues(secrets_in(settings))
    audit = AuditFiles(settings.data / "audit", settings.audit_days, values)
    if settings.access is None:
        return Guard(LocalAccess(), audit)
    from bot.access_file import read_access_file

    return Guard(RoleAccess(read_access_file(settings.access, members)), audit)
