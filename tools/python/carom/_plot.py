"""Runs drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._run import Run

_MOST_LINES = 12


def _usual(run: Run) -> tuple[str, ...]:
    return tuple(path for path in ("q", "u") if path in run)


def _draw(axes: Any, run: Run, path: str) -> None:
    array = run[path]
    lines = array.reshape(len(array), -1)
    names = run.names(path) or run.info(path)["directions"]
    for number in range(min(lines.shape[1], _MOST_LINES)):
        label = names[number] if len(names) == lines.shape[1] else None
        axes.plot(run.time, lines[:, number], label=label, linewidth=1)
    units = sorted(set(run.units(path)))
    axes.set_ylabel(f"{path} / {', '.join(units)}" if units else path)
    if names and lines.shape[1] <= _MOST_LINES:
        axes.legend(fontsize="small", loc="best")


def _draw_energy(axes: Any, run: Run) -> None:
    for name in run.energy.keys():
        axes.plot(run.time, run.energy[name], label=name, linewidth=1)
    axes.set_ylabel("energy / J")
    axes.legend(fontsize="small", loc="best")


def _mark_impacts(axes: Any, run: Run) -> None:
    """Where impacts were; those that are not consistent stand out."""
    impacts = run.impacts
    if len(impacts) == 0 or len(impacts) > 200:
        return
    sound = impacts.kinematic & impacts.kinetic & impacts.energetic
    for time, is_sound in zip(np.asarray(impacts.time), sound):
        axes.axvline(time, color="0.85" if is_sound else "tab:red", linewidth=0.8, zorder=0)


def plot_run(run: Run, paths: tuple[str, ...]) -> Any:
    from matplotlib.figure import Figure

    wanted = [path.strip("/") for path in paths] or [*_usual(run), *(["energy"] if run.energy.keys() else [])]
    for path in wanted:
        if path != "energy" and (path not in run or len(run[path]) != len(run.time)):
            raise KeyError(f"{path!r} is no column over time; there are {', '.join(run.keys())}")
    figure = Figure(figsize=(8, 2.4 * len(wanted)), layout="constrained")
    all_axes = np.atleast_1d(figure.subplots(len(wanted), sharex=True))
    for axes, path in zip(all_axes, wanted):
        _draw_energy(axes, run) if path == "energy" else _draw(axes, run, path)
        _mark_impacts(axes, run)
    all_axes[0].set_title(f"{run.scene}, law {run.law}", fontsize="medium")
    all_axes[-1].set_xlabel("time / s")
    return figure
