"""What a process inside gives up before it runs code: memory, processes, system calls."""

import ctypes
import resource

_SET_DUMPABLE, _SET_SECCOMP, _SET_CHILD_SUBREAPER, _SET_NO_NEW_PRIVILEGES = 4, 22, 36, 38
_FILTER_MODE = 2
# gVisor takes these from the container's description and refuses them here.
_SET_OUTSIDE = (
    resource.RLIMIT_NPROC,
    resource.RLIMIT_MEMLOCK,
    resource.RLIMIT_MSGQUEUE,
    resource.RLIMIT_CORE,
)
_INSTRUCTION_BYTES = 8


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def set_dumpable(dumpable: bool) -> None:
    """Whether processes of the same user may look into this one through /proc."""
    _control(_SET_DUMPABLE, int(dumpable))


def adopt_orphans() -> None:
    """Become the parent of every process whose own parent ends, so that none is unseen."""
    _control(_SET_CHILD_SUBREAPER, 1)


def limit_resources(address_space: int, processes: int, file_bytes: int, seconds: float) -> None:
    """Bound this process and its children; ``seconds`` is processor time from now on.

    Raises ValueError if one of the bounds that only this call sets cannot be set.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = int(used.ru_utime + used.ru_stime + seconds) + 1
    for kind, soft, hard in (
        (resource.RLIMIT_AS, address_space, address_space),
        (resource.RLIMIT_NPROC, processes, processes),
        (resource.RLIMIT_FSIZE, file_bytes, file_bytes),
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_NOFILE, 256, 256),
        (resource.RLIMIT_MEMLOCK, 0, 0),
        (resource.RLIMIT_MSGQUEUE, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        _, most = resource.getrlimit(kind)
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        try:
            resource.setrlimit(kind, (soft, hard))
        except ValueError:
            if kind not in _SET_OUTSIDE:
                raise


def filter_calls(program: bytes) -> None:
    """Allow only the system calls of ``program`` from now on; raises OSError."""
    _control(_SET_NO_NEW_PRIVILEGES, 1)
    described = _Program(len(program) // _INSTRUCTION_BYTES, program)
    _control(_SET_SECCOMP, _FILTER_MODE, ctypes.byref(described))


def _control(option: int, value: int, pointer: object = None) -> None:
    c = ctypes.CDLL(None, use_errno=True)
    zero = ctypes.c_ulong(0)
    third = zero if pointer is None else pointer
    if c.prctl(ctypes.c_int(option), ctypes.c_ulong(value), third, zero, zero) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option}")
