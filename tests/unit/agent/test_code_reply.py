"""What of a model's reply is a program, and what is wrong with it before it runs."""

import pytest

from agent.code_reply import proposed_in

CODE = 'import pandas as pd\ntable = pd.read_parquet("/in/a.parquet")\n'


@pytest.mark.parametrize(
    "reply",
    [
        CODE,
        f"```python\n{CODE}```",
        f"Sure! Here is the program:\n\n```py\n{CODE}```\nIt draws a plot.",
        f"```\n{CODE}",
        f"Install this:\n```bash\npip install pandas\n```\nThen:\n```Python\n{CODE}```",
        f"```python\nimport os\n```\nor better\n```python\n{CODE}```",
    ],
)
def test_finds_the_program(reply: str) -> None:
    proposed = proposed_in(reply, ["a.parquet"])

    assert (proposed.code, proposed.problems) == (CODE, ())


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I cannot help with that.",
        "Sorry",
        "```json\n{}\n```",
        "```bash\nrm -rf /\n```",
        "<tool_call>{}</tool_call>",
        "\0```python\n\0\n```",
    ],
)
def test_says_that_there_is_none(reply: str) -> None:
    proposed = proposed_in(reply, ["a.parquet"])

    assert proposed.problems
    assert not proposed.code


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import pandas as pd\nprint(", "SyntaxError in line 2"),
        ("import pandas as pd\ntable = pd.DataFrame({'a': [1]})", "never make data up"),
        (CODE.replace("/in/a.", "/in/b."), "There is no /in/b.parquet. There are only: a.parquet."),
        (CODE + "import numpy\nrandom = numpy.random.default_rng()", "seed the generator"),
        (CODE + "table['state'] = table['state'].cat.codes", "codes turns names into numbers"),
        ("#" * 30_000, "too long"),
    ],
)
def test_says_what_is_wrong_before_it_runs(code: str, told: str) -> None:
    (problem,) = proposed_in(f"```python\n{code}\n```", ["a.parquet"]).problems

    assert told in problem


def test_what_a_program_forgot_to_import_is_imported() -> None:
    code = CODE + "fit = linregress(table['a'], np.arange(9))\nstats = fit\nprint(stats)\n"

    proposed = proposed_in(f"```python\n{code}```", ["a.parquet"])

    added = "import numpy as np\nfrom scipy.stats import linregress\n"
    assert (proposed.code, proposed.problems) == (added + code, ())


def test_tables_that_are_listed_are_read() -> None:
    code = 'import glob\nfor name in glob.glob("/in/*"):\n    print(name)\n'

    assert proposed_in(code, ["a.parquet"]).problems == ()
