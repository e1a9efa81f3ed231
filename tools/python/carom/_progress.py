"""A line that tells how far a run is, in notebooks and on terminals."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


def line_of(state: dict[str, Any]) -> str:
    share = 100 * state["step"] / max(1, state["steps"])
    return f"t = {state['time']:.4g} of {state['duration']:g} s ({share:.0f} %), {state['impacts']} impacts, energy {state['energy']:.6g} J"


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell else None
    return running is not None and running.__class__.__name__ == "ZMQInteractiveShell"


class _NotebookLine:
    def __init__(self) -> None:
        self._shown: Any = None

    def __call__(self, state: dict[str, Any]) -> None:
        from IPython.display import display

        text = {"text/plain": line_of(state)}
        if self._shown is None:
            self._shown = display(text, raw=True, display_id=True)
        else:
            self._shown.update(text, raw=True)

    def clear(self) -> None:
        if self._shown is not None:
            self._shown.update({"text/plain": ""}, raw=True)


class _TerminalLine:
    def __init__(self) -> None:
        self._drawn = False

    def __call__(self, state: dict[str, Any]) -> None:
        sys.stderr.write("\r\x1b[K" + line_of(state))
        sys.stderr.flush()
        self._drawn = True

    def clear(self) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


@contextmanager
def progress_function(asked: bool | Callable[[dict[str, Any]], None] | None) -> Iterator[Any]:
    """What the run calls: the user's function, a line, or None."""
    if callable(asked):
        yield asked
        return
    if asked is False:
        yield None
        return
    line = _NotebookLine() if _in_notebook() else _TerminalLine() if asked or sys.stderr.isatty() else None
    try:
        yield line
    finally:
        if line is not None:
            line.clear()
