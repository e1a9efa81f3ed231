"""Scenes: a system with its law, integrator and output."""

from __future__ import annotations

import os
import warnings as _warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import _carom
from ._progress import progress_function
from ._run import Run, finished
from ._stepper import Force, Quantity, Stepper, stepper_of
from ._tables import as_html_table
from ._values import document_of, number_text, text_of


class SceneWarning(UserWarning):
    """What the command line prints as `warning: ...`."""


def _is_text(source: str) -> bool:
    return "\n" in source or source.lstrip().startswith("{")


def source_of(source: Any) -> _carom.SceneSource:
    """Of whatever a scene or an impact problem can be given as."""
    if isinstance(source, Scene):
        return source._source
    if isinstance(source, Mapping):
        return _carom.SceneSource.from_text(document_of(dict(source)), "scene")
    if isinstance(source, str) and _is_text(source):
        return _carom.SceneSource.from_text(source, "scene")
    if isinstance(source, (str, os.PathLike)):
        return _carom.SceneSource.from_file(os.fspath(source))
    raise TypeError(f"a scene is made of a path, a YAML text or a dict, not of a {type(source).__name__}")


def _fact(name: str, about: str) -> Any:
    return property(lambda scene: scene._facts[name], doc=about)


class Scene:
    """A scene from a file, a YAML text (several lines, or in braces) or a dict.

    Values are read and set by path, as `--set` does: ``scene["contacts.tip.friction"] = 0.2``. What is wrong with a
    scene raises `InputError` with a line for every mistake, and leaves the scene as it was.
    """

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any], *, fix: bool = False) -> None:
        made = source_of(source)
        self._take(made.fixed() if fix else made)
        for warning in self.warnings:
            _warnings.warn(warning, SceneWarning, stacklevel=2)

    def _take(self, source: _carom.SceneSource) -> None:
        self._facts = source.facts()  # reads it, and raises what is wrong
        self._source = source

    # ---- values ------------------------------------------------------------------------------------------------

    def __setitem__(self, path: str, value: Any) -> None:
        self.set({path: value})

    def set(self, values: Mapping[str, Any]) -> None:
        """Several values at once, for those that are right only together."""
        self._take(self._source.changed([f"{path}={text_of(value)}" for path, value in values.items()]))

    def __getitem__(self, path: str) -> Any:
        """What the scene says at a path: dicts, lists, numbers and texts."""
        value: Any = self.to_dict()
        for key in path.split("."):
            value = _below(value, key, path)
        return value

    def to_dict(self) -> dict[str, Any]:
        return dict(self._source.values())

    def copy(self) -> Scene:
        twin = object.__new__(Scene)
        twin._source, twin._facts = self._source, self._facts
        return twin

    yaml: str = _fact("yaml", "The scene as a file, with what was set.")
    name: str = _fact("name", "What it is called.")
    about: str = _fact("about", "A sentence for headings.")
    law: str = _fact("law", "The name of its impact law.")
    q: np.ndarray = _fact("q", "Initial positions.")
    u: np.ndarray = _fact("u", "Initial velocities.")
    positions: list[tuple[str, str]] = _fact("positions", "Names and units of q.")
    velocities: list[tuple[str, str]] = _fact("velocities", "Names and units of u.")
    bodies: list[str] = _fact("bodies", "Names of its bodies.")
    contacts: list[str] = _fact("contacts", "Contacts that have a name; those found between shapes get theirs on the way.")
    step: float = _fact("step", "Of the integrator, in seconds.")
    duration: float = _fact("duration", "Of a run, in seconds.")
    warnings: list[str] = _fact("warnings", "What the command line prints as `warning: ...`.")
    notes: list[str] = _fact("notes", "What was changed because it was asked for (`fix`).")

    def _repr_html_(self) -> str:
        rows = {
            "law": self.law,
            "coordinates": ", ".join(f"{name} ({unit})" if unit else name for name, unit in self.positions),
            "contacts": ", ".join(self.contacts) or "found on the way, or none",
            "time": f"{self.duration:g} s in steps of {self.step:g} s",
        }
        return as_html_table(f"{self.name}: {self.about}" if self.about else self.name, rows)

    def __repr__(self) -> str:
        about = f": {self.about}" if self.about else ""
        return (
            f"<carom.Scene {self.name}{about}; law {self.law}, {len(self.positions)} coordinates, "
            f"{self.duration:g} s in steps of {self.step:g} s>"
        )

    # ---- runs --------------------------------------------------------------------------------------------------

    def simulate(
        self,
        law: str | Mapping[str, Any] | None = None,
        duration: float | None = None,
        step: float | None = None,
        *,
        set: Mapping[str, Any] | None = None,
        output: str | os.PathLike[str] | None = None,
        overwrite: bool = False,
        threads: int | None = None,
        progress: bool | Callable[[dict[str, Any]], None] | None = None,
        force: Force | None = None,
        record: Mapping[str, Quantity] | None = None,
    ) -> Run:
        """Steps the scene through time, as `carom simulate` does, with the same bits.

        `law`, `duration` and `step` take the place of the scene's, `set` that of values by path. The run is kept in
        memory, or written to the file `output` as it goes (`overwrite` replaces one). `progress` is a function that gets a
        dict a few times a second, False for none; by default a line is shown in notebooks and on terminals.

        `force` is a function of the state at the beginning of a step that returns the force on the system in it, by
        names of velocity coordinates or as an array (its work is counted as applied); `record` are functions of the
        state that are logged at every sample as `run.recorded`. The state is that of a `Stepper`.

        A run that fails raises `RunFailed`, Ctrl-C `KeyboardInterrupt`, a callback what it raises; each has the run
        until then as its `run`.
        """
        changes = changes_of(law, duration, step, set)
        if force is not None or record is not None:
            stepper = stepper_of(self, changes, output, overwrite)
            stepper.record(record or {})
            return stepper.to_end(force)
        path = os.fspath(output) if output is not None else ""
        with progress_function(progress) as show:
            kept = self._source.simulate(changes, path, overwrite, threads or 0, show)
        return finished(kept, path)

    def stepper(
        self,
        law: str | Mapping[str, Any] | None = None,
        duration: float | None = None,
        step: float | None = None,
        *,
        set: Mapping[str, Any] | None = None,
        output: str | os.PathLike[str] | None = None,
        overwrite: bool = False,
    ) -> Stepper:
        """The same run, stepped by the caller: ``for state in scene.stepper(): state.force[0] = ...``."""
        return stepper_of(self, changes_of(law, duration, step, set), output, overwrite)


def changes_of(law: Any, duration: Any, step: Any, set: Mapping[str, Any] | None) -> _carom.SceneChanges:
    return _carom.SceneChanges(
        text_of(law) if law is not None else "",
        number_text(duration),
        number_text(step),
        [f"{path}={text_of(value)}" for path, value in (set or {}).items()],
    )


def _below(value: Any, key: str, path: str) -> Any:
    if isinstance(value, dict):
        if key in value:
            return value[key]
    elif isinstance(value, list):
        for number, item in enumerate(value):
            if str(number) == key or (isinstance(item, dict) and item.get("name") == key):
                return item
    elif key == "type":
        return value  # `law: poisson` is short for `law: {type: poisson}`
    raise KeyError(path)
