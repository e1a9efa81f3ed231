"""Values of Python as a scene writes them."""

from __future__ import annotations

import json
import re
from typing import Any

# What YAML takes for something else than a word.
_NO_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")


def _plain(value: Any) -> Any:
    """Arrays and numbers of numpy as lists and numbers."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "__fspath__"):
        return value.__fspath__()
    raise TypeError(f"a scene has no place for a {type(value).__name__}: give numbers, texts, lists and dicts")


def text_of(value: Any) -> str:
    """On one line. A word stands as it is; other texts are in quotes, so that '1e-3' stays a text."""
    if isinstance(value, str) and _WORD.match(value) and value.lower() not in _NO_WORDS:
        return value
    return json.dumps(value, ensure_ascii=False, default=_plain)


def document_of(values: dict[str, Any]) -> str:
    """A whole scene, one key a line, so that messages have lines to name."""
    return json.dumps(values, ensure_ascii=False, indent=1, default=_plain)


def number_text(value: Any) -> str:
    """Of an option that takes a number; empty: not given."""
    return "" if value is None else text_of(value)
