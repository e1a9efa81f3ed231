"""A scene stepped one step at a time, with forces from outside."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _carom
from ._run import Recorded, Run, finished

if TYPE_CHECKING:
    from ._scene import Scene

Force = Callable[["Stepper"], "Mapping[str, float] | np.ndarray | None"]
Quantity = Callable[["Stepper"], Any]


class Stepper:
    """A run that its caller steps: ``for state in scene.stepper(): state.force[0] = ...``.

    The loop goes over the states at the start and after every step; each has `time`, `step`, `q`, `u`, `energy`, and
    `force` in velocity coordinates, which acts in the next step and in those after it until it is changed. `run` ends
    it and is what was recorded.
    """

    def __init__(self, scene: Scene, changes: _carom.SceneChanges, output: str = "", overwrite: bool = False) -> None:
        self._native = _carom.Stepper(scene._source, changes, output, overwrite)
        self._names = {name: number for number, (name, _) in enumerate(scene.velocities)}
        self._output = output
        self._run: Run | None = None
        self._quantities: dict[str, Quantity] = {}
        self._recorded: dict[str, list[Any]] = {}

    # ---- the state ---------------------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        return self._native.time

    @property
    def step(self) -> int:
        return self._native.number

    @property
    def q(self) -> np.ndarray:
        return self._native.q

    @property
    def u(self) -> np.ndarray:
        return self._native.u

    @property
    def energy(self) -> dict[str, float]:
        return self._native.energy

    @property
    def force(self) -> np.ndarray:
        """In velocity coordinates; it can be written to."""
        return self._native.force

    def apply(self, forces: Mapping[str, float]) -> None:
        """Forces by the names of velocity coordinates: ``{"ball.vx": 3.0}``; all others become zero."""
        values = np.zeros(len(self._names))
        for name, value in forces.items():
            if name not in self._names:
                raise KeyError(f"{name!r} is no velocity coordinate; they are {', '.join(self._names)}")
            values[self._names[name]] = value
        self.force[:] = values

    # ---- stepping ----------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Stepper]:
        if self._run is not None:
            return
        yield self
        while not self._native.finished:
            self.advance()
            yield self

    def advance(self) -> None:
        """One step."""
        why = self._native.step()
        if why:
            self._close(f"failed: {why}")
            raise_failure(self._run)

    def record(self, quantities: Mapping[str, Quantity]) -> None:
        """Functions of the state, logged at every sample under `run.recorded`."""
        self._quantities = dict(quantities)
        self._recorded = {name: [] for name in quantities}

    def keep_sample(self) -> None:
        if self.step % self._native.every == 0 or self._native.finished:
            for name, quantity in self._quantities.items():
                self._recorded[name].append(np.array(quantity(self), dtype=float))

    @property
    def run(self) -> Run:
        """What was recorded. The run ends here, if it has not come to its end."""
        if self._run is None:
            self._close("complete" if self._native.finished else "interrupted")
        return self._run  # type: ignore[return-value]

    def _close(self, status: str) -> None:
        self._run = finished(self._native.finish(status), self._output, raises=False)
        rows = len(self._run.time)
        self._run.recorded = Recorded({name: _table(values, rows) for name, values in self._recorded.items()})

    def to_end(self, force: Force | None) -> Run:
        """Steps to the end with a force as a function of the state. What a callback raises ends the run."""
        try:
            for state in self:
                state.keep_sample()
                applied = force(state) if force is not None and not self._native.finished else None
                if isinstance(applied, Mapping):
                    state.apply(applied)
                elif applied is not None:
                    state.force[:] = applied
        except (Exception, KeyboardInterrupt) as error:
            if self._run is None:
                is_stop = isinstance(error, KeyboardInterrupt)
                self._close("interrupted" if is_stop else f"failed: {type(error).__name__}: {error}")
            error.run = self._run  # type: ignore[union-attr]
            raise
        return self.run


def _table(values: list[Any], rows: int) -> np.ndarray:
    """One row a sample; the last are missing where a callback has ended the run."""
    shape = values[0].shape if values else ()
    table = np.full((rows, *shape), np.nan)
    for number, value in enumerate(values[:rows]):
        table[number] = value
    return table


def raise_failure(run: Run | None) -> None:
    assert run is not None
    error = _carom.RunFailed(f"{run.scene}: {run.status.removeprefix('failed: ')}")
    error.run = run
    raise error


def stepper_of(scene: Scene, changes: _carom.SceneChanges, output: str | os.PathLike[str] | None, overwrite: bool) -> Stepper:
    return Stepper(scene, changes, os.fspath(output) if output is not None else "", overwrite)
