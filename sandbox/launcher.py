"""Becomes the program that isolates, having first given up the service's rights.

Started as a script, with one argument that describes the start as JSON: which control groups
to join, which paths to show where, which user to become. As root it takes a mount namespace of
its own and shows each folder under a path that the unprivileged user can walk, however
private the folder's parents are. Standard library only, so that it starts at once.
"""

import ctypes
import json
import os
import sys

_NEW_MOUNT_NAMESPACE = 0x00020000
_BIND, _RECURSIVE, _PRIVATE, _NO_SUID, _NO_DEVICES = 1 << 12, 1 << 14, 1 << 18, 2, 4
_SET_NO_NEW_PRIVILEGES = 38


def main(argument: str) -> None:
    """Give up what ``argument`` says and become its command; raises OSError."""
    start = json.loads(argument)
    for group in start["control_groups"]:
        _write(f"{group}/cgroup.procs", str(os.getpid()))
    _write("/proc/self/oom_score_adj", "1000")
    if start["user_id"] is not None:
        _show(start["shown"])
        _become(start["user_id"])
    os.umask(0o077)
    _call("prctl", _SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    os.execv(start["command"][0], start["command"])  # noqa: S606


def _show(shown: list[tuple[str, str]]) -> None:
    """Bind each path where it is to be seen, by this process and its children alone."""
    _call("unshare", _NEW_MOUNT_NAMESPACE)
    _mount(None, "/", None, _RECURSIVE | _PRIVATE)
    for place in {os.path.dirname(target) for _, target in shown}:
        _mount("odabot", place, "tmpfs", _NO_SUID | _NO_DEVICES, "size=64k,mode=0755")
    for source, target in shown:
        if os.path.isdir(source):
            os.mkdir(target)
        else:
            _write(target, "")
        _mount(source, target, None, _BIND | _RECURSIVE)


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def _become(user_id: int) -> None:
    os.setgroups([])
    os.setresgid(user_id, user_id, user_id)
    os.setresuid(user_id, user_id, user_id)


def _mount(
    source: str | None, target: str, kind: str | None, flags: int, options: str = ""
) -> None:
    texts = [each if each is None else each.encode() for each in (source, target, kind, options)]
    _call("mount", texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])


def _call(name: str, *arguments: object) -> None:
    """Call the C library; raises OSError when it says -1."""
    c = ctypes.CDLL(None, use_errno=True)
    if getattr(c, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    main(sys.argv[1])
