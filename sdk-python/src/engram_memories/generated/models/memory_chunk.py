# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="MemoryChunk")


@_attrs_define
class MemoryChunk:
    """A part of a memory, which semantic search finds by one vector. The chunks of a memory together are its whole
    content.

    """

    id: str
    """ Id of a chunk: several neighboring messages, or a part of a memory, which semantic search finds by one
    vector. """
    ordinal: int
    """ Position among the chunks, from 0. """
    start: int
    """ Start in the content, after the overlap with the previous chunk. Counted in UTF-16 code units, as in
    JavaScript strings. """
    end: int
    """ End in the content (exclusive), where the next chunk starts. Counted in UTF-16 code units, as in JavaScript
    strings. """
    overlap_start: int
    """ Start of the text that the vector is computed from. It is up to 64 tokens before `start`, so that it
    overlaps the previous chunk. Counted in UTF-16 code units, as in JavaScript strings. """
    indexed: bool
    """ Whether the vector of the chunk is stored, so that semantic search can find the chunk. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        ordinal = self.ordinal

        start = self.start

        end = self.end

        overlap_start = self.overlap_start

        indexed = self.indexed

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "ordinal": ordinal,
                "start": start,
                "end": end,
                "overlap_start": overlap_start,
                "indexed": indexed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        ordinal = d.pop("ordinal")

        start = d.pop("start")

        end = d.pop("end")

        overlap_start = d.pop("overlap_start")

        indexed = d.pop("indexed")

        memory_chunk = cls(
            id=id,
            ordinal=ordinal,
            start=start,
            end=end,
            overlap_start=overlap_start,
            indexed=indexed,
        )

        return memory_chunk
