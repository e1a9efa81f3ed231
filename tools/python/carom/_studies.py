"""Laws compared and checked, scenes swept."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _carom
from ._scene import Scene, SceneWarning, changes_of, source_of
from ._tables import Table, as_html
from ._values import document_of, number_text


def _names(laws: str | Sequence[str] | None) -> list[str]:
    return [] if laws is None else [laws] if isinstance(laws, str) else list(laws)


def _table(answer: dict[str, Any]) -> Table:
    for warning in answer["warnings"]:
        warnings.warn(warning, SceneWarning, stacklevel=3)
    return Table(json.loads(answer["json"]), answer["text"])


def compare(
    scene: Any,
    laws: str | Sequence[str] = "all",
    *,
    match: str = "restitution",
    reference: str = "",
    impact_only: bool = False,
    duration: float | None = None,
    step: float | None = None,
    set: Mapping[str, Any] | None = None,
    output: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    workers: int = 0,
) -> Table:
    """A scene (or an impact problem) by several laws, at its first impact and through time: as `carom compare`.

    The values are those of `carom compare --json`: ``impact``, ``match``, ``runs``. `output` is a file with one run a
    law; `carom.open` gives them by law.
    """
    path = os.fspath(output) if output is not None else ""
    return _table(
        _carom.compare(source_of(scene), _names(laws), match, reference, changes_of(None, duration, step, set), impact_only, path, overwrite, workers)
    )


def check(
    scene: Any,
    laws: str | Sequence[str] | None = None,
    *,
    duration: float | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
) -> Table:
    """What is guaranteed of laws before anything runs: as `carom check --json`. `ranges` are those of coefficients."""
    texts = [f"{key}={low!r}..{high!r}" for key, (low, high) in (ranges or {}).items()]
    return _table(_carom.check(source_of(scene), _names(laws), number_text(duration), texts))


class Sweep:
    """The result of a sweep: ``axes`` and ``measures`` by name, arrays of the grid's shape; NaN where a point has none."""

    def __init__(self, arrays: _carom.SweepArrays) -> None:
        self._arrays = arrays
        self.name: str = arrays.name
        self.axes: dict[str, np.ndarray] = {name: np.array(values) for name, (values, _) in arrays.axes().items()}
        self.measures: dict[str, np.ndarray] = {name: values for name, (values, *_) in arrays.measures().items()}
        self.status: np.ndarray = arrays.status()
        self.reasons: dict[int, str] = dict(arrays.reasons)

    def __getitem__(self, name: str) -> np.ndarray:
        return self.measures[name] if name in self.measures else self.axes[name]

    def to_xarray(self) -> Any:
        """An xarray.Dataset with the axes as coordinates."""
        import xarray

        is_grid = self._arrays.mode == "grid"
        dimensions = tuple(self.axes) if is_grid else ("point",)
        coordinates = {
            name: ((name,) if is_grid else ("point",), np.array(values), {"units": units} if units else {})
            for name, (values, units) in self._arrays.axes().items()
        }
        variables = {
            name: (dimensions, values, {"units": units, "meaning": meaning, **({"states": states} if states else {})})
            for name, (values, units, meaning, states) in self._arrays.measures().items()
        }
        variables["status"] = (dimensions, self.status, {"states": list(_carom.point_status)})
        return xarray.Dataset(variables, coordinates, {"sweep": self.name})

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """As the file that `carom sweep` writes."""
        self._arrays.save(os.fspath(path), overwrite)

    def report(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """The page of `carom sweep --report`: maps and slices."""
        with tempfile.TemporaryDirectory() as folder:
            kept = os.path.join(folder, "sweep.h5")
            self.save(kept)
            _carom.write_report(kept, os.fspath(path), overwrite, self.name)

    def __repr__(self) -> str:
        return self._arrays.text().rstrip("\n")

    def _repr_html_(self) -> str:
        return as_html(repr(self))


def sweep(values: Mapping[str, Any] | str | os.PathLike[str], *, workers: int = 0) -> Sweep:
    """A scene measured at many points: as `carom sweep`.

    ``sweep({"scene": scene, "vary": {"restitution": {"path": ..., "from": 0, "to": 1, "count": 11}, "law.type": [...]},
    "measures": ["work"]})``; the scene is a `Scene`, a dict or a path. Or the file of a sweep.
    """
    if not isinstance(values, Mapping):
        return Sweep(_carom.sweep(None, os.fspath(values), workers))
    document = dict(values)
    if isinstance(document.get("scene"), Scene):
        document["scene"] = document["scene"].to_dict()
    elif hasattr(document.get("scene"), "__fspath__"):
        document["scene"] = os.fspath(document["scene"])
    return Sweep(_carom.sweep(document_of(document), "sweep", workers))
