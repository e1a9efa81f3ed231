"""A run as tables with labels: xarray and pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._run import Run


def _extents(run: Run, path: str) -> list[tuple[str, list[str]]]:
    """What the extents of a row run over: a name each, with labels."""
    info = run.info(path)
    shape, names, directions = info["shape"], info["names"], info["directions"]
    extents: list[tuple[str, list[str]]] = []
    for number, size in enumerate(shape):
        if directions and number == len(shape) - 1:
            extents.append(("direction", directions))
        elif len(names) == size:
            parts = path.split("/")
            name = {"q": "position", "u": "velocity"}.get(parts[-1], "pose" if number == len(shape) - 1 else parts[0])
            extents.append((name, names))
        else:
            extents.append((f"{path}.{number}", [str(i) for i in range(size)]))
    return extents


def _rows(path: str) -> str:
    if path.startswith("impacts/elements/"):
        return "element_of_impact"
    return "impact" if path.startswith("impacts/") else "time"


def _units(run: Run, path: str) -> dict[str, Any]:
    units = run.units(path)
    if not units:
        return {}
    return {"units": units[0] if len(set(units)) == 1 else units}


def dataset_of(run: Run) -> Any:
    import xarray

    coordinates: dict[str, Any] = {"time": ("time", run.time, {"units": "s"})}
    variables: dict[str, Any] = {}
    for path in run.keys():
        if path == "time":
            continue
        extents = _extents(run, path)
        for name, labels in extents:
            coordinates.setdefault(name, (name, np.array(labels, dtype=object)))
        variables[path] = ((_rows(path), *(name for name, _ in extents)), run[path], _units(run, path))
    attributes = {name: value for name, value in run.attributes.items() if value != ""}
    return xarray.Dataset(variables, coordinates, attributes)


def dataframe_of(run: Run) -> Any:
    import pandas

    columns: dict[str, np.ndarray] = {}
    for path in run.keys():
        if _rows(path) != "time" or path == "time":
            continue
        array = run[path]
        labels = [path]
        for _, names in _extents(run, path):
            labels = [f"{label}.{name}" for label in labels for name in names]
        flat = array.reshape(len(array), -1)
        for number, label in enumerate(labels):
            columns[label] = flat[:, number]
    return pandas.DataFrame(columns, index=pandas.Index(run.time, name="time"))
