"""The system-call filter: which calls code may make, as a BPF program for seccomp."""

import json
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal, get_args

from sandbox.errors import SandboxUnavailable

Machine = Literal["x86_64", "aarch64"]

ALLOW = 0x7FFF0000
KILL = 0x80000000
_ERRNO = 0x00050000
EPERM, ENOSYS, EAFNOSUPPORT = 1, 38, 97

# AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64.
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000

# Offsets in struct seccomp_data; of 64-bit arguments the low half, on little-endian machines.
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06

# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME.
_NEW_NAMESPACES = 0x7E020080
# The kernel reads an ioctl's request as 32 bits, so the comparison must not see more.
_TERMINAL_INJECTION = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_UNIX_SOCKETS = (1,)
# Names, dumpable, parent death, subreaper, no-new-privs, seccomp, and allocation labels.
_PROCESS_CONTROLS = (1, 2, 3, 4, 15, 16, 21, 22, 23, 30, 36, 37, 38, 39, 0x53564D41, 0x41555856)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction of classic BPF."""

    code: int
    value: int
    if_true: int = 0
    if_false: int = 0

    def packed(self) -> bytes:
        """The instruction as ``struct sock_filter``."""
        return struct.pack("=HBBI", self.code, self.if_true, self.if_false, self.value)


def errno(number: int) -> int:
    """The filter's answer that makes a call fail with ``number``."""
    return _ERRNO | number


def filter_for(machine: str, *, may_execute: bool) -> bytes:
    """The filter as an array of ``struct sock_filter``.

    Whatever is not allowed does not exist (ENOSYS), so that libraries fall back; another
    architecture's calls end the process. ``may_execute`` is for the one exec that starts the
    interpreter; code itself runs without. Raises SandboxUnavailable for an unknown machine.
    """
    program = _program(machine, may_execute=may_execute)
    return b"".join(each.packed() for each in program)


def _program(machine: str, *, may_execute: bool) -> list[Instruction]:
    if machine not in get_args(Machine):
        raise SandboxUnavailable(f"no system-call filter for {machine} machines")
    table = json.loads(Path(__file__).with_name("syscalls.json").read_text())
    numbers: dict[str, int] = table[machine]
    program = [
        Instruction(_LOAD, _ARCH),
        Instruction(_JUMP_EQUAL, _ARCHITECTURE[machine], if_true=1),
        Instruction(_RETURN, KILL),
        Instruction(_LOAD, _NUMBER),
    ]
    if machine == "x86_64":
        program += [
            Instruction(_JUMP_AT_LEAST, _X32_BIT, if_false=1),
            Instruction(_RETURN, errno(ENOSYS)),
        ]
    always = [*table["allowed"], *(("execve", "execveat") if may_execute else ())]
    for name in always:
        if name in numbers:
            program += _when(numbers[name], [Instruction(_RETURN, ALLOW)])
    program += _filtered_calls(numbers)
    denied = () if may_execute else ("execve", "execveat")
    for name in denied:
        program += _when(numbers[name], [Instruction(_RETURN, errno(EPERM))])
    return [*program, Instruction(_RETURN, errno(ENOSYS))]


def _filtered_calls(numbers: dict[str, int]) -> list[Instruction]:
    """Calls that depend on an argument; clone3's are in memory, so it stays unknown."""
    return [
        *_when(numbers["clone"], _unless_any_bit(0, _NEW_NAMESPACES)),
        *_when(numbers["ioctl"], _unless_among(1, _TERMINAL_INJECTION)),
        *_when(numbers["socket"], _only_among(0, _UNIX_SOCKETS, errno(EAFNOSUPPORT))),
        *_when(numbers["socketpair"], _only_among(0, _UNIX_SOCKETS, errno(EAFNOSUPPORT))),
        *_when(numbers["prctl"], _only_among(0, _PROCESS_CONTROLS, errno(EPERM))),
    ]


def _when(number: int, body: list[Instruction]) -> list[Instruction]:
    return [Instruction(_JUMP_EQUAL, number, if_false=len(body)), *body]


def _argument(position: int) -> Instruction:
    return Instruction(_LOAD, _ARGUMENTS + 8 * position)


def _unless_any_bit(position: int, bits: int) -> list[Instruction]:
    return [
        _argument(position),
        Instruction(_JUMP_ANY_BIT, bits, if_true=1),
        Instruction(_RETURN, ALLOW),
        Instruction(_RETURN, errno(EPERM)),
    ]


def _unless_among(position: int, values: Iterable[int]) -> list[Instruction]:
    answers = [_when(value, [Instruction(_RETURN, errno(EPERM))]) for value in values]
    return [_argument(position), *chain.from_iterable(answers), Instruction(_RETURN, ALLOW)]


def _only_among(position: int, values: Iterable[int], otherwise: int) -> list[Instruction]:
    answers = [_when(value, [Instruction(_RETURN, ALLOW)]) for value in values]
    return [_argument(position), *chain.from_iterable(answers), Instruction(_RETURN, otherwise)]
