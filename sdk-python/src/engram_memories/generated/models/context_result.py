# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.context_message import ContextMessage


T = TypeVar("T", bound="ContextResult")


@_attrs_define
class ContextResult:
    conversation_id: str
    """ Id of a conversation. """
    title: None | str
    """ Title of the conversation. At most 1,000 characters. """
    relevance: float
    """ Estimate of how likely the result is to answer the query, from 0 to 1. It is the geometric mean of two
    estimated probabilities: that a search with such a best match has found an answer at all, and that this match or
    a message near it holds one. It can be compared between searches. In one `mode`, it depends on the query, the
    best match of the result and what is stored, not on `limit` or on the other results. It rises with the
    similarity in meaning, and with the share of the query's words that occur in the match or within two messages of
    it; rare words count more. If the topic never came up, all results stay below 0.25 in 95 of 100 searches. If the
    topic came up but the question was never answered, they stay below 0.8 in 95 of 100. """
    messages: list[ContextMessage]
    """ The messages that match and their neighbors, oldest first. Some between may be missing. """

    def to_dict(self) -> dict[str, Any]:
        conversation_id = self.conversation_id

        title: None | str
        title = self.title

        relevance = self.relevance

        messages = []
        for messages_item_data in self.messages:
            messages_item = messages_item_data.to_dict()
            messages.append(messages_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "conversation_id": conversation_id,
                "title": title,
                "relevance": relevance,
                "messages": messages,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.context_message import ContextMessage  # noqa: PLC0415

        d = dict(src_dict)
        conversation_id = d.pop("conversation_id")

        def _parse_title(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        title = _parse_title(d.pop("title"))

        relevance = d.pop("relevance")

        messages = []
        _messages = d.pop("messages")
        for messages_item_data in _messages:
            messages_item = ContextMessage.from_dict(messages_item_data)

            messages.append(messages_item)

        context_result = cls(
            conversation_id=conversation_id,
            title=title,
            relevance=relevance,
            messages=messages,
        )

        return context_result
