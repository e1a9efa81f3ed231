"""Results by the names of the JSON that the program prints, shown as the tables that it prints."""

from __future__ import annotations

import html
import re
from typing import Any


def without_colour(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def as_html(text: str) -> str:
    return f"<pre>{html.escape(without_colour(text))}</pre>"


def as_html_table(title: str, rows: dict[str, str]) -> str:
    def shortened(text: str) -> str:
        return html.escape(text if len(text) < 400 else text[:400] + " ...")

    lines = "".join(f"<tr><th style='text-align: left'>{name}</th><td style='text-align: left'>{shortened(text)}</td></tr>" for name, text in rows.items())
    return f"<b>{shortened(title)}</b><table>{lines}</table>"


class Table(dict[str, Any]):
    """Values by name, also as attributes; printed as the program's table where there is one."""

    def __init__(self, values: dict[str, Any], text: str = "") -> None:
        super().__init__(values)
        self.__dict__["_text"] = text

    def __getattr__(self, name: str) -> Any:
        try:
            value = self[name]
        except KeyError:
            raise AttributeError(f"no {name!r}; there are {', '.join(self)}") from None
        return Table(value) if type(value) is dict else value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        return self._text.rstrip("\n") or super().__repr__()

    def _repr_html_(self) -> str:
        return as_html(repr(self))
