"""Runs: what was recorded, as arrays."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from . import _carom
from ._tables import as_html

STATES: tuple[str, ...] = tuple(_carom.state_names)


class Group:
    """The columns of a group of a run file, as attributes: ``run.energy.total``."""

    def __init__(self, run: Run, path: str) -> None:
        self._run = run
        self._path = path

    def keys(self) -> list[str]:
        below = self._path + "/"
        return [path[len(below) :] for path in self._run.keys() if path.startswith(below) and "/" not in path[len(below) :]]

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._run[f"{self._path}/{name}"]
        except KeyError:
            raise AttributeError(f"{self._path} has no {name!r}; it has {', '.join(self.keys())}") from None

    __getitem__ = __getattr__

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.keys()]

    def __repr__(self) -> str:
        return f"<{self._path}: {', '.join(self.keys())}>"


class Parts(Mapping[str, Group]):
    """Bodies or contacts by name: ``run.contacts["tip"].gap``."""

    def __init__(self, run: Run, path: str) -> None:
        self._run = run
        self._path = path

    def __iter__(self) -> Iterator[str]:
        names: dict[str, None] = {}
        for path in self._run.keys():
            parts = path.split("/")
            if parts[0] == self._path and len(parts) == 3:
                names[parts[1]] = None
        return iter(names)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, name: str) -> Group:
        if name not in list(self):
            raise KeyError(f"no {name!r} in {self._path}; there are {', '.join(self) or 'none'}")
        return Group(self._run, f"{self._path}/{name}")

    def __repr__(self) -> str:
        return f"<{self._path}: {', '.join(self)}>"


class Impacts(Group):
    """Every impact with its verdict; `elements` are the contacts and clutches that took part."""

    def __init__(self, run: Run) -> None:
        super().__init__(run, "impacts")

    def __len__(self) -> int:
        return len(self.time) if "impacts/time" in self._run.keys() else 0

    @property
    def elements(self) -> Group:
        return Group(self._run, "impacts/elements")

    @property
    def element_names(self) -> list[str]:
        return self._run._source.element_names()

    def to_dataframe(self) -> Any:
        """One row an impact, with the names of its elements (pandas)."""
        import pandas

        columns = {name: self[name] for name in self.keys() if self[name].ndim == 1}
        frame = pandas.DataFrame(columns)
        frame.index.name = "impact"
        names = np.array(self.element_names, dtype=object)
        took_part: list[list[str]] = [[] for _ in range(len(self))]
        for impact, element in zip(self.elements.impact, self.elements.element):
            took_part[impact].append(str(names[element]))
        frame["elements"] = [", ".join(part) for part in took_part]
        return frame

    def elements_to_dataframe(self) -> Any:
        """One row an element of an impact, vectors as normal and tangential columns (pandas)."""
        import pandas

        elements = self.elements
        names = np.array(self.element_names, dtype=object)
        columns: dict[str, Any] = {"impact": elements.impact, "element": names[elements.element]}
        for name in ("velocity_before", "velocity_after", "impulse", "compression", "decompression"):
            directions = self._run.info(f"impacts/elements/{name}")["directions"]
            for number, direction in enumerate(directions):
                columns[f"{name}.{direction}"] = elements[name][:, number]
        columns["state"] = np.array(STATES, dtype=object)[elements.state]
        return pandas.DataFrame(columns)


class Recorded(dict[str, np.ndarray]):
    """Quantities of the caller's own, one row a sample: ``run.recorded.power``."""

    def __getattr__(self, name: str) -> np.ndarray:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Run:
    """A run: in memory, or in a file.

    ``run.q``, ``run.u``, ``run.time``, ``run.energy.total``, ``run.contacts["tip"].gap``, ``run.bodies["rod"].pose``,
    ``run.impacts.work``: the names are those of the run file, and ``run["energy/total"]`` takes them as paths. Arrays of
    a run in memory are the run itself, not copies, and cannot be written to.
    """

    def __init__(self, source: Any) -> None:
        self._source = source
        self._columns: dict[str, dict[str, Any]] = source.columns()
        self._arrays: dict[str, np.ndarray] = {}
        self.attributes: dict[str, Any] = source.attributes()
        self.recorded = Recorded()

    # ---- columns -----------------------------------------------------------------------------------------------

    def keys(self) -> list[str]:
        return list(self._columns)

    def info(self, path: str) -> dict[str, Any]:
        """Names, units and directions of a column."""
        return self._columns[path.strip("/")]

    def names(self, path: str) -> list[str]:
        return self.info(path)["names"]

    def units(self, path: str) -> list[str]:
        return self.info(path)["units"]

    def __contains__(self, path: str) -> bool:
        return path.strip("/") in self._columns

    def __getitem__(self, path: str) -> np.ndarray:
        path = path.strip("/")
        if path not in self._columns:
            raise KeyError(path)
        if path not in self._arrays:
            self._arrays[path] = self._source.array(path)
        return self._arrays[path]

    def _column(self, path: str) -> np.ndarray:
        if path not in self._columns:
            raise AttributeError(f"the run has no {path!r}: it is not in the scene's output.record")
        return self[path]

    @property
    def time(self) -> np.ndarray:
        return self._column("time")

    @property
    def step(self) -> np.ndarray:
        return self._column("step")

    @property
    def q(self) -> np.ndarray:
        return self._column("q")

    @property
    def u(self) -> np.ndarray:
        return self._column("u")

    @property
    def energy(self) -> Group:
        return Group(self, "energy")

    @property
    def contacts(self) -> Parts:
        return Parts(self, "contacts")

    @property
    def bodies(self) -> Parts:
        return Parts(self, "bodies")

    @property
    def impacts(self) -> Impacts:
        return Impacts(self)

    def __len__(self) -> int:
        return len(self.time)

    # ---- what it is --------------------------------------------------------------------------------------------

    @property
    def scene(self) -> str:
        return self.attributes["scene"]

    @property
    def law(self) -> str:
        return self.attributes["law"]

    @property
    def status(self) -> str:
        """complete, interrupted, failed: why; running of a file that is being written."""
        return self.attributes["status"]

    @property
    def scene_yaml(self) -> str:
        """The scene that ran: ``carom.Scene(run.scene_yaml)`` runs the same again."""
        return self._source.scene_yaml()

    @property
    def notes(self) -> list[str]:
        return list(getattr(self._source, "notes", []))

    @property
    def path(self) -> str | None:
        """Of its file; None in memory."""
        return getattr(self._source, "path", None)

    def __repr__(self) -> str:
        return self._source.text().rstrip("\n")

    def _repr_html_(self) -> str:
        return as_html(repr(self))

    # ---- other forms -------------------------------------------------------------------------------------------

    def to_xarray(self) -> Any:
        """An xarray.Dataset with labelled axes and units; names are those of the run file."""
        from ._frames import dataset_of

        return dataset_of(self)

    def to_dataframe(self) -> Any:
        """A pandas.DataFrame, one row a sample, one column a number: ``q.upper.angle``, ``energy/total``."""
        from ._frames import dataframe_of

        return dataframe_of(self)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """As a run file, the one that `carom simulate` writes."""
        if self.path is not None:
            raise _carom.FileError(f"{self.path}: is a file already; copy it")
        if self.recorded:
            warnings.warn(f"a run file has no place for recorded quantities ({', '.join(self.recorded)})", stacklevel=2)
        note = self._source.save(os.fspath(path), overwrite)
        if note:
            warnings.warn(note, stacklevel=2)

    def report(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """The page of `carom report`: motion, energy, every impact by every law."""
        if self.path is not None:
            _carom.write_report(self.path, os.fspath(path), overwrite, self.path)
            return
        with tempfile.TemporaryDirectory() as folder:
            kept = os.path.join(folder, "run.h5")
            self.save(kept)
            _carom.write_report(kept, os.fspath(path), overwrite, self.scene)

    def animate(self) -> Any:
        """The same page, shown in a notebook; ``.open()`` shows it in a browser."""
        from ._page import Page

        return Page(self)

    def plot(self, *paths: str) -> Any:
        """A matplotlib figure over time: coordinates and energies, or the columns that are named."""
        from ._plot import plot_run

        return plot_run(self, paths)


def finished(kept: Any, path: str, raises: bool = True) -> Run:
    """The run, or what ended it, with the run as its `run`."""
    run = open_run(path) if path else Run(kept)
    if not raises:
        return run
    error = kept.take_error()
    if error is None and kept.status.startswith("failed"):
        error = _carom.RunFailed(f"{run.scene}: {kept.status.removeprefix('failed: ')}")
    if error is not None:
        error.run = run
        raise error
    return run


def open_run(path: str | os.PathLike[str], law: str | None = None) -> Run:
    group = f"/laws/{law}" if law else "/"
    return Run(_carom.FileRun(os.fspath(path), group))


def open_file(path: str | os.PathLike[str]) -> Any:
    """A run file; of a comparison, a dict of its runs by law."""
    kind = _carom.result_kind(os.fspath(path))
    if kind == "carom-compare":
        return {group.rsplit("/", 1)[-1]: Run(_carom.FileRun(os.fspath(path), group)) for group in _carom.law_groups(os.fspath(path))}
    return open_run(path)
