"""The auditor names what code should not need, and says nothing about honest analysis."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.audit import audit

HONEST = """
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl

power = pd.read_parquet("/in/power.parquet")
hourly = power.resample("1h", on="timestamp")["value"].mean()
fig, axes = plt.subplots()
axes.plot(hourly.index, hourly, label="kW/h")
axes.set_ylabel("Power (W/m^2) and/or more")
fig.savefig("/out/power.png")
hourly.to_csv("hourly.csv")
print(np.mean(hourly), pl.DataFrame({"a": [1]}))
"""


def test_says_nothing_about_honest_analysis() -> None:
    findings = audit(HONEST)

    assert findings == ()


@pytest.mark.parametrize(
    ("code", "construct"),
    [
        ("import subprocess", "import subprocess"),
        ("import urllib.request", "import urllib.request"),
        ("from os import system", "import os.system"),
        ("from socket import socket", "import socket"),
        ("import pickle", "import pickle"),
        ("eval('1')", "eval()"),
        ("__import__('os')", "__import__()"),
        ("import os\nos.system('id')", ".system()"),
        ("().__class__.__subclasses__()", ".__subclasses__"),
        ("__builtins__", "__builtins__"),
        ("getattr(x, '__globals__')", "'__globals__'"),
        ("open('/etc/passwd')", "path /etc/passwd"),
        ("open('../etc/passwd')", "path /etc/passwd"),
        ("open('/in/../etc/passwd')", "path /etc/passwd"),
        ("pd.read_csv('https://example.org/a.csv')", "address https://example.org/a.csv"),
        ("np.load('/in/a.npy', allow_pickle=True)", "allow_pickle"),
        ("while True: pass", "endless loop"),
    ],
)
def test_names_what_code_should_not_need(code: str, construct: str) -> None:
    findings = audit(code)

    assert construct in {each.construct for each in findings}


def test_gives_the_line_of_each_finding_in_order() -> None:
    findings = audit("import ssl\n\nimport socket\n")

    assert [each.line for each in findings] == [1, 3]


def test_a_loop_with_a_way_out_is_no_finding() -> None:
    findings = audit("while True:\n    break\n")

    assert findings == ()


@given(st.text())
def test_any_text_is_read_without_an_error(code: str) -> None:
    findings = audit(code)

    assert isinstance(findings, tuple)
