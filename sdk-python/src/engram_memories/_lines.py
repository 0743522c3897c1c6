"""Exports and imports: lines of JSON, as dictionaries or as text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ._request import Request, json_bytes, query_of
from .errors import ConnectionError
from .generated.models import ImportedLines, ImportProblem, SkippedLine

LINES_MAX = 1_000
_BYTES_MAX = 2_000_000
"""The service stores up to 2 MiB in one transaction, so a request of this size is stored completely or not at all."""
_VALUE_BYTES = 25
"""A line counts as at least this many bytes for each of its fields and items, whose number is limited, too."""
_COUNTED = ("conversations", "messages", "memories", "memory_versions", "recalls")


class ExportReader:
    """Reads the lines of an export over several responses, each of which continues after the last line."""

    def __init__(self, query: Mapping[str, Any]) -> None:
        self._wanted = dict(query)
        self._place = dict(query)
        self.is_complete = False
        self._has_ended = False

    def request(self) -> Request[Any]:
        return Request("GET", "/v1/export", lambda _, body: body, query=query_of(**self._place))

    def read(self, text: str) -> dict[str, Any] | None:
        """The line; None at the end of a response."""
        line: dict[str, Any] = json.loads(text)
        self._has_ended = line["type"] == "end"
        if self._has_ended:
            self.is_complete = line["complete"]
            return None
        self._place = {**self._wanted, **_position_after(line)}
        return line

    def check_end(self) -> None:
        """Fails if the response was cut off."""
        if not self._has_ended:
            raise ConnectionError("The export was cut off")


def _position_after(line: Mapping[str, Any]) -> dict[str, Any]:
    if line["type"] == "message":
        return {"after": line["conversation_id"], "after_sequence": line["sequence"]}
    if line["type"] == "memory_version":
        return {"after": line["memory_id"], "after_version": line["version"]}
    return {"after": line["id"]}


@dataclass
class Count:
    """Items that an import has created, and that existed already."""

    created: int = 0
    existing: int = 0


@dataclass
class ImportSummary:
    """Result of an import: the sum of the results of all requests."""

    conversations: Count = field(default_factory=Count)
    messages: Count = field(default_factory=Count)
    memories: Count = field(default_factory=Count)
    memory_versions: Count = field(default_factory=Count)
    recalls: Count = field(default_factory=Count)
    problems: list[ImportProblem] = field(default_factory=list)
    skipped: list[SkippedLine] = field(default_factory=list)
    lines: int = 0
    """Lines that were processed, including those of an earlier call with the same operation."""
    operation_id: str | None = None
    """Id of the operation that counts the lines; None for an import that fits in one request."""

    def add(self, part: Part, answer: ImportedLines) -> None:
        for name in _COUNTED:
            sums: Count = getattr(self, name)
            sums.created += getattr(answer, name).created
            sums.existing += getattr(answer, name).existing
        for problem in answer.problems:
            problem.line += part.before
        for skipped in answer.skipped:
            skipped.line += part.before
        self.problems += answer.problems
        self.skipped += answer.skipped
        self.lines = part.before + part.count


@dataclass(frozen=True)
class Part:
    """The lines of one request."""

    before: int
    count: int
    content: bytes
    is_last: bool

    def request(self, operation_id: str | None) -> Request[ImportedLines]:
        place = {"operation_id": operation_id, "after_line": self.before, "last": self.is_last}
        return Request(
            "POST",
            "/v1/imports/lines",
            lambda _, body: ImportedLines.from_dict(body),
            query=query_of(**place) if operation_id else {},
            headers={"content-type": "application/x-ndjson"},
            content=self.content,
        )


class Splitter:
    """Splits lines into parts, and leaves out the first `before` lines."""

    def __init__(self, before: int) -> None:
        self._before = before
        self._number = 0
        self._lines: list[bytes] = []
        self._size = 0

    def add(self, line: Mapping[str, Any] | str) -> Part | None:
        """The part before this line, if it is full."""
        self._number += 1
        if self._number <= self._before:
            return None
        content = _content(line)
        # Each field and item ends with one of these characters, so there are at most as many.
        size = max(len(content) + 1, _VALUE_BYTES * (len(re.findall(rb"[,\]}]", content)) + 1))
        is_full = len(self._lines) == LINES_MAX or (bool(self._lines) and self._size + size > _BYTES_MAX)
        part = self._take(is_last=False) if is_full else None
        self._lines.append(content)
        self._size += size
        return part

    def rest(self) -> Part:
        return self._take(is_last=True)

    def _take(self, *, is_last: bool) -> Part:
        content = b"".join(line + b"\n" for line in self._lines)
        part = Part(self._before, len(self._lines), content, is_last)
        self._before += len(self._lines)
        self._lines, self._size = [], 0
        return part


def _content(line: Mapping[str, Any] | str) -> bytes:
    if not isinstance(line, str):
        return json_bytes(line)
    text = line.removesuffix("\n").removesuffix("\r")
    if "\n" in text:
        raise ValueError("each item must be one line")
    return text.encode()
