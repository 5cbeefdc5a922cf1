"""Settings as text: the example file with every setting, and the ones in force."""

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from bot.settings import DELIMITER, PREFIX, Settings

_HEAD = """\
# Every setting of odabot with its default. Copy what you change into the service's environment.
# A line without a value leaves the default; a name that is not listed here is refused.
"""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as an operator writes it."""

    variable: str
    default: str
    """Empty where the default is none, or depends on the machine."""
    meaning: str


def all_settings() -> tuple[Setting, ...]:
    """Every setting of every package, in the order of the models."""
    return tuple(_settings_of(Settings, PREFIX))


def example_env() -> str:
    """The text of ``deploy/settings.example.env``."""
    return "\n".join(
        [_HEAD, *(f"# {s.meaning}\n{s.variable}={s.default}\n" for s in all_settings())]
    )


def effective(settings: Settings) -> dict[str, str]:
    """The value of every setting by its variable; a secret shows only what is none."""
    return dict(_values_of(settings, PREFIX)) | {
        f"{PREFIX}REDIS_URL": settings.redis_without_password
    }


def _settings_of(model: type[BaseModel], prefix: str) -> Iterator[Setting]:
    meanings = _attribute_docstrings(model)
    for name, field in model.model_fields.items():
        variable = prefix + name.upper()
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _settings_of(kind, variable + DELIMITER)
        else:
            yield Setting(variable, _default(field), meanings[name])


def _values_of(model: BaseModel, prefix: str) -> Iterator[tuple[str, str]]:
    for name in type(model).model_fields:
        value, variable = getattr(model, name), prefix + name.upper()
        if isinstance(value, BaseModel):
            yield from _values_of(value, variable + DELIMITER)
        else:
            yield variable, "" if value is None else _shown(value)


def _default(field: FieldInfo) -> str:
    value = field.default
    return "" if value is None or field.default_factory is not None else _shown(value)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return json.dumps(value, default=_shown)
    return "***" if isinstance(value, SecretStr) else str(value)


def _attribute_docstrings(model: type[BaseModel]) -> dict[str, str]:
    body = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0]
    assert isinstance(body, ast.ClassDef)
    found = {}
    for field, text in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
        ):
            found[field.target.id] = " ".join(str(text.value.value).replace("``", "").split())
    return found
