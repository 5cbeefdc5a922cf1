"""The filter, run by a small interpreter of BPF, lets through what it should and no more."""

import json
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sandbox.bpf
from sandbox.bpf import ALLOW, EAFNOSUPPORT, ENOSYS, EPERM, KILL, errno, filter_for
from sandbox.errors import SandboxUnavailable

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
TABLE = json.loads(Path(sandbox.bpf.__file__).with_name("syscalls.json").read_text())
FILTERS = {name: filter_for(name, may_execute=False) for name in MACHINES}


def answer(
    program: bytes, number: int, arguments: tuple[int, ...] = (), architecture: int = 0xC000003E
) -> int:
    """What the kernel would do with a call."""
    padded = (*arguments, *([0] * (6 - len(arguments))))
    data = struct.pack("<iIQ6Q", number if number < 1 << 31 else number - (1 << 32),
                       architecture, 0, *padded)  # fmt: skip
    place = value = 0
    while True:
        code, if_true, if_false, k = struct.unpack_from("=HBBI", program, 8 * place)
        place += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("<I", data, k)
            case 0x06:
                return int(k)
            case 0x15:
                place += if_true if value == k else if_false
            case 0x35:
                place += if_true if value >= k else if_false
            case 0x45:
                place += if_true if value & k else if_false
            case _:
                raise AssertionError(code)


def of(machine: str, name: str, *arguments: int) -> int:
    return answer(FILTERS[machine], TABLE[machine][name], arguments, MACHINES[machine])


@pytest.mark.parametrize("machine", MACHINES)
def test_allows_every_call_of_the_list(machine: str) -> None:
    numbers = [TABLE[machine][name] for name in TABLE["allowed"] if name in TABLE[machine]]

    answers = {answer(FILTERS[machine], each, (), MACHINES[machine]) for each in numbers}

    assert answers == {ALLOW}


@given(st.integers(min_value=0, max_value=(1 << 32) - 1))
def test_every_other_call_does_not_exist(number: int) -> None:
    known = number in TABLE["x86_64"].values()

    got = answer(FILTERS["x86_64"], number)

    assert known or got == errno(ENOSYS)


@pytest.mark.parametrize(
    "name",
    ["ptrace", "mount", "unshare", "bpf", "keyctl", "io_uring_setup", "userfaultfd", "clone3",
     "memfd_create", "setns", "open_by_handle_at", "process_vm_readv", "pidfd_getfd"],
)  # fmt: skip
def test_dangerous_calls_are_not_in_the_table(name: str) -> None:
    assert name not in TABLE["allowed"]
    assert name not in TABLE["x86_64"]
    assert name not in TABLE["aarch64"]


@pytest.mark.parametrize("machine", MACHINES)
def test_another_architectures_call_ends_the_process(machine: str) -> None:
    got = answer(FILTERS[machine], 1, (), architecture=0x40000003)

    assert got == KILL


def test_calls_of_the_x32_kind_do_not_exist() -> None:
    got = answer(FILTERS["x86_64"], 0x40000000 | TABLE["x86_64"]["read"])

    assert got == errno(ENOSYS)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("flag", [0x80, 0x20000, 0x2000000, 0x10000000, 0x20000000, 0x40000000])
def test_a_process_cannot_start_in_a_new_namespace(machine: str, flag: int) -> None:
    got = of(machine, "clone", flag | 17)

    assert got == errno(EPERM)


@pytest.mark.parametrize("machine", MACHINES)
def test_processes_and_threads_can_start(machine: str) -> None:
    thread = 0x3D0F00

    assert of(machine, "clone", 17) == ALLOW
    assert of(machine, "clone", thread) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("request_code", [0x5412, 0x541C])
@pytest.mark.parametrize("high", [0, 1, 1 << 31])
def test_terminal_injection_is_refused_whatever_the_high_bits(
    machine: str, request_code: int, high: int
) -> None:
    got = of(machine, "ioctl", 0, request_code | high << 32)

    assert got == errno(EPERM)


@given(st.integers(min_value=0, max_value=(1 << 32) - 1))
def test_only_local_sockets_exist(family: int) -> None:
    got = of("x86_64", "socket", family)

    assert got == (ALLOW if family == 1 else errno(EAFNOSUPPORT))


@pytest.mark.parametrize("machine", MACHINES)
def test_only_the_starting_filter_lets_a_program_start(machine: str) -> None:
    starting = filter_for(machine, may_execute=True)
    number = TABLE[machine]["execve"]

    assert answer(starting, number, (), MACHINES[machine]) == ALLOW
    assert of(machine, "execve") == errno(EPERM)
    assert of(machine, "execveat") == errno(EPERM)


def test_fits_what_the_kernel_accepts() -> None:
    assert all(len(each) // 8 <= 4096 for each in FILTERS.values())


def test_an_unknown_machine_has_no_sandbox() -> None:
    with pytest.raises(SandboxUnavailable, match="riscv64"):
        filter_for("riscv64", may_execute=False)
