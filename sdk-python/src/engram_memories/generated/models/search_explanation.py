# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="SearchExplanation")


@_attrs_define
class SearchExplanation:
    """Components of the score, present with `explain`. For a message among the 100 best by `message`, `window` or `chunk`,
    the score before `rerank` is their sum. For any other message, the score is lower than the sum.

    """

    message: float
    """ Keyword score (BM25) of the message, scaled so that the best message has 1, and the 100th best or, with
    fewer matches, the worst has 0. A single match has 1. """
    window: float
    """ Keyword score (BM25) of the message together with the two messages before and the two after it, scaled in
    the same way as `message`. """
    conversation: float
    """ Keyword score (BM25) of the whole conversation, scaled so that the best conversation has 1, and the 15th
    best or, with fewer matches, the worst has 0. """
    chunk: float
    """ Similarity in meaning (cosine) between the query and the nearest chunk, a group of neighboring messages that
    contains this one. Scaled so that the nearest chunk has 1, and the 100th nearest or, with fewer matches, the
    farthest has 0. """
    answer: float
    """ Above 0 if the message directly follows a short question that matches the words of the query; otherwise 0.
    """
    question: float
    """ Below 0 if the message is a short question; otherwise 0. """
    time: float
    """ Above 0 if the query asks when and the message contains a time; otherwise 0. """
    number: float
    """ Above 0 if the query asks how many and the message contains a number; otherwise 0. """
    date: float
    """ Above 0 if the message was said at a time that the query names, or soon after; otherwise 0. """
    speaker: float
    """ Below 0 if the query names the other speaker of a conversation of two; otherwise 0. """
    hidden: float
    """ Below 0 if the message has the role `system` and `hidden: true` in its `metadata`; otherwise 0. """
    phrase: float
    """ Above 0 if the message contains a quoted phrase of the query; otherwise 0. """
    validity: float
    """ Below 0 if the result is a memory that does not hold at `valid_at`; otherwise 0. """

    def to_dict(self) -> dict[str, Any]:
        message = self.message

        window = self.window

        conversation = self.conversation

        chunk = self.chunk

        answer = self.answer

        question = self.question

        time = self.time

        number = self.number

        date = self.date

        speaker = self.speaker

        hidden = self.hidden

        phrase = self.phrase

        validity = self.validity

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "message": message,
                "window": window,
                "conversation": conversation,
                "chunk": chunk,
                "answer": answer,
                "question": question,
                "time": time,
                "number": number,
                "date": date,
                "speaker": speaker,
                "hidden": hidden,
                "phrase": phrase,
                "validity": validity,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        message = d.pop("message")

        window = d.pop("window")

        conversation = d.pop("conversation")

        chunk = d.pop("chunk")

        answer = d.pop("answer")

        question = d.pop("question")

        time = d.pop("time")

        number = d.pop("number")

        date = d.pop("date")

        speaker = d.pop("speaker")

        hidden = d.pop("hidden")

        phrase = d.pop("phrase")

        validity = d.pop("validity")

        search_explanation = cls(
            message=message,
            window=window,
            conversation=conversation,
            chunk=chunk,
            answer=answer,
            question=question,
            time=time,
            number=number,
            date=date,
            speaker=speaker,
            hidden=hidden,
            phrase=phrase,
            validity=validity,
        )

        return search_explanation
