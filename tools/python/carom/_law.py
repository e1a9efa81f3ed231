"""Impact laws written in Python."""

from __future__ import annotations

import inspect
import os
from typing import Any, TypeVar

import numpy as np

from . import _carom

Problem = _carom.Problem
LawClass = TypeVar("LawClass", bound=type)


class Refused(Exception):
    """Raised by a law whose domain a problem is outside of; the text says why and which laws would do."""


def _type_of(default: Any) -> str:
    if isinstance(default, bool) or default is None:
        raise TypeError("a parameter has a number, a word or an array as its default")
    if isinstance(default, int):
        return "integer"
    if isinstance(default, str):
        return "word"
    array = np.asarray(default)
    return {0: "number", 1: "vector", 2: "matrix"}[array.ndim]


def _parameters_of(law: type) -> list[dict[str, Any]]:
    """Those of its constructor that have a default; `parameters` of the class says what they mean."""
    meanings = getattr(law, "parameters", {})
    found: list[dict[str, Any]] = []
    if law.__init__ is object.__init__:
        return found
    for name, parameter in list(inspect.signature(law.__init__).parameters.items())[1:]:
        if parameter.default is inspect.Parameter.empty:
            raise TypeError(f"the parameter {name!r} of {law.__name__} has no default")
        about: dict[str, Any] = {"name": name, "type": _type_of(parameter.default), "default": str(parameter.default)}
        about["meaning"] = meanings.get(name, "")
        if about["type"] == "word":
            about["words"] = []
        found.append(about)
    return found


def register(law: LawClass) -> LawClass:
    """Makes a class a law, from now on one of the list: in scenes, `impact`, `compare`, `check`, `sweep` and reports.

    The class has a `name`, a `statement` (else the first line of its docstring) and
    ``resolve(self, problem) -> impulses``: one number a row of γ, normal before tangents, element after element; or a
    pair of all impulses and those of compression. Parameters of the constructor, each with a default, are keys under
    ``law:``. Velocities, work, states and verdicts follow from the impulses. Can be used as a decorator.
    """
    if not isinstance(law, type) or not callable(getattr(law, "resolve", None)):
        raise TypeError("a law is a class with resolve(self, problem) -> impulses")
    doc = (law.__doc__ or "").strip()
    if not getattr(law, "statement", doc):
        raise TypeError(f"the law {law.__name__} does not say what it states: give it a docstring, or a text `statement`")
    about = {
        "name": getattr(law, "name", law.__name__.lower()),
        "statement": getattr(law, "statement", doc.split("\n")[0]),
        "equation": getattr(law, "equation", "in Python"),
        "source": getattr(law, "source", f"{law.__module__}.{law.__qualname__}"),
        "domain": getattr(law, "domain", "what it does not refuse"),
        "failures": getattr(law, "failures", "not told"),
        "uses_restitution": bool(getattr(law, "uses_restitution", True)),
        "parameters": _parameters_of(law),
    }
    _carom.register_law(law, about, Refused)
    return law


def load_plugin(path: str | os.PathLike[str]) -> None:
    """Laws, models and solvers of a shared library, as `--plugin FILE.so` loads them; so are those that the environment
    variable CAROM_PLUGINS names when carom is imported."""
    _carom.load_plugin(os.fspath(path))


def laws() -> dict[str, dict[str, Any]]:
    """Every law by name, with statement, equation, source, domain, parameters and origin, as `carom laws --json` tells them."""
    return {law["name"]: law for law in _carom.laws()}
