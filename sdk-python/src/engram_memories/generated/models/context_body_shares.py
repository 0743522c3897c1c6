# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ContextBodyShares")


@_attrs_define
class ContextBodyShares:
    """How the parts divide `max_tokens`, in proportion to their weights. What a part does not need, the others get. A part
    with the weight 0 is left out.

    """

    messages: float | Unset = UNSET
    """ Weight of the newest messages. Default 0.5. """
    memories: float | Unset = UNSET
    """ Weight of the memories. Default 0.2. """
    results: float | Unset = UNSET
    """ Weight of the search results. Default 0.3. """
    summaries: float | Unset = UNSET
    """ Weight of summaries of the conversation, of messages before the newest ones that are included. They are
    those of today: with `as_of` there are none. Default 0. """

    def to_dict(self) -> dict[str, Any]:
        messages = self.messages

        memories = self.memories

        results = self.results

        summaries = self.summaries

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if messages is not UNSET:
            field_dict["messages"] = messages
        if memories is not UNSET:
            field_dict["memories"] = memories
        if results is not UNSET:
            field_dict["results"] = results
        if summaries is not UNSET:
            field_dict["summaries"] = summaries

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        messages = d.pop("messages", UNSET)

        memories = d.pop("memories", UNSET)

        results = d.pop("results", UNSET)

        summaries = d.pop("summaries", UNSET)

        context_body_shares = cls(
            messages=messages,
            memories=memories,
            results=results,
            summaries=summaries,
        )

        return context_body_shares
