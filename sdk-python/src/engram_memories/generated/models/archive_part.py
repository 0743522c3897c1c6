# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ArchivePart")


@_attrs_define
class ArchivePart:
    """A part of an archive: some of its lines, in order."""

    number: int
    """ Number of the part, from 1. """
    lines: int
    """ Number of lines. """
    bytes: int
    """ Size of the lines in bytes. """
    stored_bytes: int
    """ Size in bytes as stored: compressed with gzip. """
    sha256: str
    """ SHA-256 of the lines, as `getArchiveLines` returns them. """

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        lines = self.lines

        bytes = self.bytes

        stored_bytes = self.stored_bytes

        sha256 = self.sha256

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "lines": lines,
                "bytes": bytes,
                "stored_bytes": stored_bytes,
                "sha256": sha256,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        number = d.pop("number")

        lines = d.pop("lines")

        bytes = d.pop("bytes")

        stored_bytes = d.pop("stored_bytes")

        sha256 = d.pop("sha256")

        archive_part = cls(
            number=number,
            lines=lines,
            bytes=bytes,
            stored_bytes=stored_bytes,
            sha256=sha256,
        )

        return archive_part
