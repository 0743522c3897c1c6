# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.found_memory import FoundMemory
    from ..models.highlight import Highlight
    from ..models.matched_chunk_type_0 import MatchedChunkType0
    from ..models.search_explanation import SearchExplanation


T = TypeVar("T", bound="MemoryResult")


@_attrs_define
class MemoryResult:
    type: Literal["memory"]
    """ The result is a memory. """
    memory: FoundMemory
    """ The memory. With `max_tokens`, a long one may have only the part of its content that matches. """
    ended: bool
    """ Whether the memory has ended by `valid_at`: its `valid_until` is not later. """
    score: float
    """ Score by which the results of one search are ordered. It cannot be compared between searches; `relevance`
    can. """
    relevance: float
    """ Estimate of how likely the result is to answer the query, from 0 to 1. It is the geometric mean of two
    estimated probabilities: that a search with such a best match has found an answer at all, and that this match or
    a message near it holds one. It can be compared between searches. In one `mode`, it depends on the query, the
    best match of the result and what is stored, not on `limit` or on the other results. It rises with the
    similarity in meaning, and with the share of the query's words that occur in the match or within two messages of
    it; rare words count more. If the topic never came up, all results stay below 0.25 in 95 of 100 searches. If the
    topic came up but the question was never answered, they stay below 0.8 in 95 of 100. """
    highlights: list[Highlight]
    """ Ranges of the content that match words of the query, in order. At most 100, all within the first 100,000
    UTF-16 code units. Empty if no word of the content matches, but its meaning, a neighboring message or the
    speaker's name. """
    chunk: MatchedChunkType0 | None
    """ Part of the memory that matches best by meaning. Null if only keywords match, or if changed content is not
    indexed yet. """
    explanation: SearchExplanation | Unset = UNSET
    """ Components of the score, present with `explain`. For a message among the 100 best by `message`, `window` or
    `chunk`, the score before `rerank` is their sum. For any other message, the score is lower than the sum. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.matched_chunk_type_0 import MatchedChunkType0  # noqa: PLC0415

        type = self.type

        memory = self.memory.to_dict()

        ended = self.ended

        score = self.score

        relevance = self.relevance

        highlights = []
        for highlights_item_data in self.highlights:
            highlights_item = highlights_item_data.to_dict()
            highlights.append(highlights_item)

        chunk: dict[str, Any] | None
        if isinstance(self.chunk, MatchedChunkType0):
            chunk = self.chunk.to_dict()
        else:
            chunk = self.chunk

        explanation: dict[str, Any] | Unset = UNSET
        if not isinstance(self.explanation, Unset):
            explanation = self.explanation.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "type": type,
                "memory": memory,
                "ended": ended,
                "score": score,
                "relevance": relevance,
                "highlights": highlights,
                "chunk": chunk,
            }
        )
        if explanation is not UNSET:
            field_dict["explanation"] = explanation

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.found_memory import FoundMemory  # noqa: PLC0415
        from ..models.highlight import Highlight  # noqa: PLC0415
        from ..models.matched_chunk_type_0 import MatchedChunkType0  # noqa: PLC0415
        from ..models.search_explanation import SearchExplanation  # noqa: PLC0415

        d = dict(src_dict)
        type = cast(Literal["memory"], d.pop("type"))
        if type != "memory":
            raise ValueError(f"type must match const 'memory', got '{type}'")

        memory = FoundMemory.from_dict(d.pop("memory"))

        ended = d.pop("ended")

        score = d.pop("score")

        relevance = d.pop("relevance")

        highlights = []
        _highlights = d.pop("highlights")
        for highlights_item_data in _highlights:
            highlights_item = Highlight.from_dict(highlights_item_data)

            highlights.append(highlights_item)

        def _parse_chunk(data: object) -> MatchedChunkType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_matched_chunk_type_0 = MatchedChunkType0.from_dict(data)

                return componentsschemas_matched_chunk_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(MatchedChunkType0 | None, data)

        chunk = _parse_chunk(d.pop("chunk"))

        _explanation = d.pop("explanation", UNSET)
        explanation: SearchExplanation | Unset
        if isinstance(_explanation, Unset):
            explanation = UNSET
        else:
            explanation = SearchExplanation.from_dict(_explanation)

        memory_result = cls(
            type=type,
            memory=memory,
            ended=ended,
            score=score,
            relevance=relevance,
            highlights=highlights,
            chunk=chunk,
            explanation=explanation,
        )

        return memory_result
