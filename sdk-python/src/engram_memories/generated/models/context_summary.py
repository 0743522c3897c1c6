# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.summary_sentence import SummarySentence


T = TypeVar("T", bound="ContextSummary")


@_attrs_define
class ContextSummary:
    """A summary of messages of the conversation, or those of its sentences that are included."""

    level: int
    """ 1: a summary of messages, of 24 sequence numbers or 3,000 tokens. 2: of up to eight summaries of level 1,
    and so on. """
    from_sequence: int
    """ Sequence number of the first message that the summary covers. """
    to_sequence: int
    """ Sequence number of the last message that the summary covers. """
    sentences: list[SummarySentence]
    """ At most eight sentences in the order of the messages; none if the messages have no sentence. """
    model: None | str
    """ Text model that wrote the sentences. Null if they are verbatim sentences of the messages, which no model
    chose. """
    created_at: str
    """ Time when the summary was made. """

    def to_dict(self) -> dict[str, Any]:
        level = self.level

        from_sequence = self.from_sequence

        to_sequence = self.to_sequence

        sentences = []
        for sentences_item_data in self.sentences:
            sentences_item = sentences_item_data.to_dict()
            sentences.append(sentences_item)

        model: None | str
        model = self.model

        created_at = self.created_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "level": level,
                "from_sequence": from_sequence,
                "to_sequence": to_sequence,
                "sentences": sentences,
                "model": model,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.summary_sentence import SummarySentence  # noqa: PLC0415

        d = dict(src_dict)
        level = d.pop("level")

        from_sequence = d.pop("from_sequence")

        to_sequence = d.pop("to_sequence")

        sentences = []
        _sentences = d.pop("sentences")
        for sentences_item_data in _sentences:
            sentences_item = SummarySentence.from_dict(sentences_item_data)

            sentences.append(sentences_item)

        def _parse_model(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        model = _parse_model(d.pop("model"))

        created_at = d.pop("created_at")

        context_summary = cls(
            level=level,
            from_sequence=from_sequence,
            to_sequence=to_sequence,
            sentences=sentences,
            model=model,
            created_at=created_at,
        )

        return context_summary
