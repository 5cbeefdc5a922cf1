"""A file is handed on only if it is what its name says."""

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.job import DroppedFile, OutputFile
from sandbox.output_check import checked

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{}</svg>'


def a_png(width: int = 4, height: int = 4) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 20)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", pixels), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def a_parquet(footer: int = 4) -> bytes:
    return b"PAR1" + b"\0" * 4 + struct.pack("<I", footer) + b"PAR1"


@pytest.mark.parametrize(
    ("name", "content", "media_type"),
    [
        ("a.png", a_png(), "image/png"),
        ("A.PNG", a_png(), "image/png"),
        ("a.svg", SVG.format("<path d='M0 0'/>").encode(), "image/svg+xml"),
        ("a.csv", b"a,b\n1,2\n", "text/csv"),
        ("a.json", b'{"a": 1}', "application/json"),
        ("a.txt", "mean 21 °C".encode(), "text/plain"),
        ("a.md", b"# Findings", "text/markdown"),
        ("a.parquet", a_parquet(), "application/vnd.apache.parquet"),
    ],
)
def test_hands_on_what_is_sound(name: str, content: bytes, media_type: str) -> None:
    file = checked(name, content)

    assert file == OutputFile(name, content, media_type)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", b"<html>"),
        ("a.pkl", b"\x80\x04."),
        ("a.exe", b"MZ"),
        ("a", b"x"),
        ("a.png", b"<html><script>alert(1)</script>"),
        ("a.png", a_png()[:-12]),
        ("a.png", a_png(30_000, 30_000)),
        ("a.png", a_png(0, 4)),
        ("a.png", b"\x89PNG\r\n\x1a\n"),
        ("a.svg", b"\x89PNG"),
        ("a.svg", b"<html xmlns='http://www.w3.org/1999/xhtml'/>"),
        ("a.svg", b"<svg"),
        ("a.csv", b"\xff\xfe\x00"),
        ("a.csv", b"a\0b"),
        ("a.json", b"{"),
        ("a.json", b"[" * 200_000),
        ("a.parquet", b"PAR1"),
        ("a.parquet", a_parquet(footer=5000)),
        ("../a.csv", b"a"),
        ("a\nb.csv", b"a"),
    ],
)
def test_drops_what_is_not(name: str, content: bytes) -> None:
    file = checked(name, content)

    assert isinstance(file, DroppedFile)
    assert file.reason


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        "<foreignObject/>",
        "<rect onload='alert(1)'/>",
        "<a href='javascript:alert(1)'/>",
        "<image href='http://example.org/a.png'/>",
        "<image xlink:href='file:///etc/passwd'/>",
        "<image href='data:text/html,x'/>",
        "<rect style='fill:url(http://example.org/)'/>",
        "<style>@import 'http://example.org/a.css'</style>",
        "<style>a { background: u\\72l(x) }</style>",
        "<set attributeName='href'/>",
    ],
)
def test_drops_images_that_act_or_fetch(inside: str) -> None:
    file = checked("a.svg", SVG.format(inside).encode())

    assert isinstance(file, DroppedFile)


def test_drops_images_that_define_entities() -> None:
    bomb = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + SVG.format("&b;")

    file = checked("a.svg", bomb.encode())

    assert isinstance(file, DroppedFile)


def test_keeps_images_that_refer_to_themselves() -> None:
    inside = "<style>*{fill: url(#a)}</style><use xlink:href='#p' clip-path='url(#c)'/>"

    file = checked("a.svg", SVG.format(inside).encode())

    assert isinstance(file, OutputFile)


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ('"=HYPERLINK(""http://x"")"', '"\'=HYPERLINK(""http://x"")"'),
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
        ("+x", "'+x"),
    ],
)
def test_quotes_spreadsheet_formulas(cell: str, safe: str) -> None:
    file = checked("a.csv", f"name,value\nx,{cell}\n".encode())

    assert isinstance(file, OutputFile)
    assert file.content.decode() == f"name,value\nx,{safe}\n"


@given(st.lists(st.floats(), min_size=1))
def test_leaves_numbers_alone(numbers: list[float]) -> None:
    text = "value,other\n" + "".join(f"{each!r},{each!r}\n" for each in numbers)

    file = checked("a.csv", text.encode())

    assert isinstance(file, OutputFile)
    assert file.content.decode() == text


@given(st.sampled_from([".png", ".svg", ".csv", ".json", ".parquet", ".txt"]), st.binary())
def test_any_content_is_judged_without_an_error(suffix: str, content: bytes) -> None:
    file = checked(f"a{suffix}", content)

    assert isinstance(file, OutputFile | DroppedFile)
