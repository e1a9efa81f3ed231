"""One impact, or many of one form."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _carom
from ._run import STATES
from ._scene import Scene, SceneWarning, source_of
from ._tables import Table
from ._values import text_of


class ImpactResult(Table):
    """What one law answers, by the names of `carom impact --json`: ``velocity_after``, ``work``, ``consistency``, ..."""

    def __init__(self, values: dict[str, Any], text: str) -> None:
        super().__init__(values, text)
        for name in ("velocity_before", "velocity_after"):
            self[name] = np.array(self[name], dtype=float)
        self["elements"] = {element["name"]: Table(_with_arrays(element)) for element in self["elements"]}


def _with_arrays(element: dict[str, Any]) -> dict[str, Any]:
    return {key: np.array(value, dtype=float) if isinstance(value, list) else value for key, value in element.items()}


class ImpactResults(list[ImpactResult]):
    """Those of several laws, or of all solutions."""

    def __init__(self, results: list[ImpactResult], values: dict[str, Any], text: str) -> None:
        super().__init__(results)
        self.json = values
        self._text = text

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, str):
            for result in self:
                if result["law"] == which:
                    return result
            raise KeyError(f"no result of {which!r}; there are {', '.join(r['law'] for r in self)}")
        return super().__getitem__(which)

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return Table({}, self._text)._repr_html_()


class Impacts(Table):
    """Many impacts: arrays with one row each, by the same names; ``elements["tip"].impulse``.

    `status` is 0 where the law has an answer, 1 where it refuses, 2 where it fails; `reasons` tells why, by row.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values)
        self["elements"] = {name: Table(columns) for name, columns in values["elements"].items()}
        self["states"] = STATES

    def __len__(self) -> int:
        return len(self["work"])

    def __repr__(self) -> str:
        created = int(np.count_nonzero(~self["energetic"] & (self["status"] == 0)))
        return f"<{len(self)} impacts: {created} create energy, {int(np.count_nonzero(self['status']))} without an answer>"


def _elements_of(contacts: Sequence[Any] | None, elements: Sequence[Any] | None) -> list[dict[str, Any]]:
    given = [{"kind": "contact", **contact} for contact in contacts or []] + [dict(element) for element in elements or []]
    for number, element in enumerate(given):
        element.setdefault("name", f"{element.get('kind', 'contact')}{number + 1}")
    return given


def _varies(key: str, value: np.ndarray, element: Mapping[str, Any]) -> bool:
    """Whether a value has one row an impact: one dimension more than the value of a single one."""
    normals, tangents = np.ndim(element.get("normal", ())), np.ndim(element.get("tangent", ()))
    if key == "tangent":
        return value.ndim == 3 or (value.ndim == 2 and normals == 2)
    if key in ("normal", "direction"):
        return value.ndim == 2
    if key == "friction" and value.ndim == 1:
        is_orthotropic = tangents > normals and len(value) == 2
        return not is_orthotropic
    return value.ndim == (2 if key == "friction" else 1)


def _divided(elements: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, np.ndarray]]]:
    """What all impacts share, with the values of the first for what varies; and what varies."""
    shared: list[dict[str, Any]] = []
    varied: list[dict[str, np.ndarray]] = []
    for element in elements:
        numbers = {key: np.asarray(value, dtype=float) for key, value in element.items() if not isinstance(value, str)}
        of = {key: value for key, value in numbers.items() if _varies(key, value, element)}
        shared.append({**element, **{key: value[0] for key, value in of.items()}})
        varied.append(of)
    return shared, varied


def _document(mass: Any, velocity: Any, elements: list[dict[str, Any]], law: Any) -> _carom.SceneSource:
    text = text_of({"impact": {"mass": mass, "velocity": velocity, "elements": elements}, "law": law})
    return _carom.SceneSource.from_text(text, "impact")


def impact(
    problem: Any = None,
    *,
    mass: Any = None,
    velocity: Any = None,
    contacts: Sequence[Mapping[str, Any]] | None = None,
    elements: Sequence[Mapping[str, Any]] | None = None,
    law: str | Mapping[str, Any] | Sequence[str] | None = None,
    solver: str = "",
    all_solutions: bool = False,
) -> Any:
    """One impact by one law, or by several: as `carom impact`.

    The problem is a file, a dict or a text of an impact problem, a `Scene` (the impact that it begins with), or matrices:
    ``impact(mass=M, velocity=u, contacts=[{"normal": w_N, "tangent": w_T, "restitution": 0.5, "friction": 0.5}],
    law="poisson")``; `elements` are clutches and bilateral elements (``{"kind": "clutch", "direction": w}``).

    With a `velocity` of several rows it resolves that many impacts and returns arrays (`Impacts`); `mass`, directions and
    coefficients may then have one row an impact too.
    """
    if problem is None:
        given = _elements_of(contacts, elements)
        law = law if law is not None else "newton"
        if np.ndim(velocity) == 2:
            return _many(mass, np.asarray(velocity, dtype=float), given, law, solver)
        several = not isinstance(law, (str, Mapping))
        source = _document(mass, velocity, given, "newton" if several or law == "all" else law)
    elif mass is not None or velocity is not None or contacts is not None or elements is not None:
        raise TypeError("an impact is a problem, or given by mass, velocity and contacts: leave one out")
    else:
        source = source_of(problem)
        if isinstance(law, Mapping):
            source, law = source.changed([f"law={text_of(dict(law))}"]), None
    names = [] if law is None or isinstance(law, Mapping) else [law] if isinstance(law, str) else list(law)
    if problem is None and len(names) == 1 and names != ["all"]:
        names = []  # it stands in the document
    answer = _carom.impact(source, names, solver, all_solutions)
    for warning in answer["warnings"]:
        warnings.warn(warning, SceneWarning, stacklevel=2)
    values = json.loads(answer["json"])
    results = [ImpactResult(result, answer["text"]) for result in values["results"]]
    if len(results) == 1 and not all_solutions and len(names) < 2:
        return results[0]
    return ImpactResults(results, values, answer["text"])


def _many(mass: Any, velocity: np.ndarray, elements: list[dict[str, Any]], law: Any, solver: str) -> Impacts:
    if not isinstance(law, (str, Mapping)) or law == "all":
        raise TypeError("many impacts are resolved by one law")
    if len(velocity) == 0:
        raise ValueError("velocity has no rows: there is no impact to resolve")
    shared, varied = _divided(elements)
    masses = np.asarray(mass, dtype=float)
    source = _document(masses[0] if masses.ndim == 3 else masses, velocity[0], shared, law)
    values = _carom.impacts(source, velocity, masses if masses.ndim == 3 else None, varied, solver or "auto")
    values["velocity_before"] = velocity
    return Impacts(values)
