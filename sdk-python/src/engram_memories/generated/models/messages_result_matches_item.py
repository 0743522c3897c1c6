# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.highlight import Highlight
    from ..models.search_explanation import SearchExplanation


T = TypeVar("T", bound="MessagesResultMatchesItem")


@_attrs_define
class MessagesResultMatchesItem:
    message_id: str
    """ Id of a message. """
    sequence: int
    """ Sequence number of the message: its position in the conversation. """
    score: float
    """ Score of this message. """
    highlights: list[Highlight]
    """ Ranges of the content that match words of the query, in order. At most 100, all within the first 100,000
    UTF-16 code units. Empty if no word of the content matches, but its meaning, a neighboring message or the
    speaker's name. """
    explanation: SearchExplanation | Unset = UNSET
    """ Components of the score, present with `explain`. For a message among the 100 best by `message`, `window` or
    `chunk`, the score before `rerank` is their sum. For any other message, the score is lower than the sum. """

    def to_dict(self) -> dict[str, Any]:
        message_id = self.message_id

        sequence = self.sequence

        score = self.score

        highlights = []
        for highlights_item_data in self.highlights:
            highlights_item = highlights_item_data.to_dict()
            highlights.append(highlights_item)

        explanation: dict[str, Any] | Unset = UNSET
        if not isinstance(self.explanation, Unset):
            explanation = self.explanation.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "message_id": message_id,
                "sequence": sequence,
                "score": score,
                "highlights": highlights,
            }
        )
        if explanation is not UNSET:
            field_dict["explanation"] = explanation

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.highlight import Highlight  # noqa: PLC0415
        from ..models.search_explanation import SearchExplanation  # noqa: PLC0415

        d = dict(src_dict)
        message_id = d.pop("message_id")

        sequence = d.pop("sequence")

        score = d.pop("score")

        highlights = []
        _highlights = d.pop("highlights")
        for highlights_item_data in _highlights:
            highlights_item = Highlight.from_dict(highlights_item_data)

            highlights.append(highlights_item)

        _explanation = d.pop("explanation", UNSET)
        explanation: SearchExplanation | Unset
        if isinstance(_explanation, Unset):
            explanation = UNSET
        else:
            explanation = SearchExplanation.from_dict(_explanation)

        messages_result_matches_item = cls(
            message_id=message_id,
            sequence=sequence,
            score=score,
            highlights=highlights,
            explanation=explanation,
        )

        return messages_result_matches_item
