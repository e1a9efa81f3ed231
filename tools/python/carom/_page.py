"""The page of `carom report`, in a notebook or a browser."""

from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from typing import Any


class Page:
    """Whatever has a `report` of its own: a run, a comparison, a sweep."""

    def __init__(self, reported: Any, height: int = 720) -> None:
        self._reported = reported
        self.height = height

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        self._reported.report(path, overwrite=overwrite)

    def html(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            self.save(path)
            with open(path, encoding="utf-8") as page:
                return page.read()

    def open(self) -> str:
        """In a browser; returns the file's name, which stays."""
        handle, path = tempfile.mkstemp(suffix=".html", prefix="carom-")
        os.close(handle)
        self.save(path, overwrite=True)
        webbrowser.open("file://" + path)
        return path

    def _repr_html_(self) -> str:
        page = html.escape(self.html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: {self.height}px; border: 0"></iframe>'
