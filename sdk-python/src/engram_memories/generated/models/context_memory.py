# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.source import Source


T = TypeVar("T", bound="ContextMemory")


@_attrs_define
class ContextMemory:
    """A memory of a context, or the part of it that matches. `getMemory` returns its other fields."""

    id: str
    """ Id of a memory. """
    content: str
    """ Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be
    empty only if `parts` is given. """
    valid_from: None | str
    """ Time from which the memory holds, such as the day of a move. Null: it held at all times before
    `valid_until`. """
    valid_until: None | str
    """ Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold.
    Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time. """
    sources: list[Source]
    """ Messages that the memory was derived from, in the order in which you sent them. The ids stay when a message
    is deleted; its text does not. """
    created_at: str
    """ Time when the memory was captured (stored), with millisecond precision. For a memory from the past, it is
    the time that you set. """
    ended: bool
    """ Whether the memory has ended by `valid_at`: its `valid_until` is not later. """
    relevance: float | None
    """ As in a search result. Null if the query did not find the memory, or if there is none. """
    content_start: int | Unset = UNSET
    """ Only if `content` is a part of the whole content: offset of its start in it, in UTF-16 code units, as in
    JavaScript strings. """
    content_end: int | Unset = UNSET
    """ Only if `content` is a part: offset of its end in the whole content, in the same unit. """
    content_length: int | Unset = UNSET
    """ Only if `content` is a part: length of the whole content, in the same unit. `getMemory` returns the whole
    content. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        content = self.content

        valid_from: None | str
        valid_from = self.valid_from

        valid_until: None | str
        valid_until = self.valid_until

        sources = []
        for sources_item_data in self.sources:
            sources_item = sources_item_data.to_dict()
            sources.append(sources_item)

        created_at = self.created_at

        ended = self.ended

        relevance: float | None
        relevance = self.relevance

        content_start = self.content_start

        content_end = self.content_end

        content_length = self.content_length

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "content": content,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "sources": sources,
                "created_at": created_at,
                "ended": ended,
                "relevance": relevance,
            }
        )
        if content_start is not UNSET:
            field_dict["content_start"] = content_start
        if content_end is not UNSET:
            field_dict["content_end"] = content_end
        if content_length is not UNSET:
            field_dict["content_length"] = content_length

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.source import Source  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        content = d.pop("content")

        def _parse_valid_from(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        valid_from = _parse_valid_from(d.pop("valid_from"))

        def _parse_valid_until(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        valid_until = _parse_valid_until(d.pop("valid_until"))

        sources = []
        _sources = d.pop("sources")
        for sources_item_data in _sources:
            sources_item = Source.from_dict(sources_item_data)

            sources.append(sources_item)

        created_at = d.pop("created_at")

        ended = d.pop("ended")

        def _parse_relevance(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        relevance = _parse_relevance(d.pop("relevance"))

        content_start = d.pop("content_start", UNSET)

        content_end = d.pop("content_end", UNSET)

        content_length = d.pop("content_length", UNSET)

        context_memory = cls(
            id=id,
            content=content,
            valid_from=valid_from,
            valid_until=valid_until,
            sources=sources,
            created_at=created_at,
            ended=ended,
            relevance=relevance,
            content_start=content_start,
            content_end=content_end,
            content_length=content_length,
        )

        return context_memory
