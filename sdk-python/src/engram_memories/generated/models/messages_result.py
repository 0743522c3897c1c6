# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.conversation_summary import ConversationSummary
    from ..models.found_message import FoundMessage
    from ..models.found_summary import FoundSummary
    from ..models.messages_result_cut import MessagesResultCut
    from ..models.messages_result_matches_item import MessagesResultMatchesItem


T = TypeVar("T", bound="MessagesResult")


@_attrs_define
class MessagesResult:
    type: Literal["messages"]
    """ The result consists of messages of a conversation. """
    conversation_id: str
    """ Id of a conversation. """
    conversation: ConversationSummary
    """ The conversation of the messages. """
    start_sequence: int
    """ Sequence number of the first message in `messages`. """
    end_sequence: int
    """ Sequence number of the last message in `messages`. """
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
    matches: list[MessagesResultMatchesItem]
    """ Messages that match, best first. All others in `messages` are neighbors. """
    messages: list[FoundMessage]
    """ The matches and their neighbors, oldest first. At most 50; if there are more, those around the best matches
    are returned. Without `max_tokens`, every message has its full content. With `max_tokens`, messages between the
    first and the last may be missing, and a long match may have only the part of its content with the matching
    words. """
    chunk_id: None | str
    """ Id of the chunk (group of neighboring messages) that matches best by meaning; null if only keywords match.
    """
    summaries: list[FoundSummary] | Unset = UNSET
    """ The summary of level 1 that covers the best match, if it has one; none if an earlier result has it. Present
    only if `in` has `summaries`. At most 10 in one response, those of the best results, and with `max_tokens` only
    those that fit besides all messages. """
    cut: MessagesResultCut | Unset = UNSET
    """ Present if messages were left out, because of `max_tokens`, or because the result would have more than 50
    messages or the response more than 2 MB. Pass the range to `listMessages` to read all of them. """

    def to_dict(self) -> dict[str, Any]:
        type = self.type

        conversation_id = self.conversation_id

        conversation = self.conversation.to_dict()

        start_sequence = self.start_sequence

        end_sequence = self.end_sequence

        score = self.score

        relevance = self.relevance

        matches = []
        for matches_item_data in self.matches:
            matches_item = matches_item_data.to_dict()
            matches.append(matches_item)

        messages = []
        for messages_item_data in self.messages:
            messages_item = messages_item_data.to_dict()
            messages.append(messages_item)

        chunk_id: None | str
        chunk_id = self.chunk_id

        summaries: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.summaries, Unset):
            summaries = []
            for summaries_item_data in self.summaries:
                summaries_item = summaries_item_data.to_dict()
                summaries.append(summaries_item)

        cut: dict[str, Any] | Unset = UNSET
        if not isinstance(self.cut, Unset):
            cut = self.cut.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "type": type,
                "conversation_id": conversation_id,
                "conversation": conversation,
                "start_sequence": start_sequence,
                "end_sequence": end_sequence,
                "score": score,
                "relevance": relevance,
                "matches": matches,
                "messages": messages,
                "chunk_id": chunk_id,
            }
        )
        if summaries is not UNSET:
            field_dict["summaries"] = summaries
        if cut is not UNSET:
            field_dict["cut"] = cut

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.conversation_summary import ConversationSummary  # noqa: PLC0415
        from ..models.found_message import FoundMessage  # noqa: PLC0415
        from ..models.found_summary import FoundSummary  # noqa: PLC0415
        from ..models.messages_result_cut import MessagesResultCut  # noqa: PLC0415
        from ..models.messages_result_matches_item import MessagesResultMatchesItem  # noqa: PLC0415

        d = dict(src_dict)
        type = cast(Literal["messages"], d.pop("type"))
        if type != "messages":
            raise ValueError(f"type must match const 'messages', got '{type}'")

        conversation_id = d.pop("conversation_id")

        conversation = ConversationSummary.from_dict(d.pop("conversation"))

        start_sequence = d.pop("start_sequence")

        end_sequence = d.pop("end_sequence")

        score = d.pop("score")

        relevance = d.pop("relevance")

        matches = []
        _matches = d.pop("matches")
        for matches_item_data in _matches:
            matches_item = MessagesResultMatchesItem.from_dict(matches_item_data)

            matches.append(matches_item)

        messages = []
        _messages = d.pop("messages")
        for messages_item_data in _messages:
            messages_item = FoundMessage.from_dict(messages_item_data)

            messages.append(messages_item)

        def _parse_chunk_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        chunk_id = _parse_chunk_id(d.pop("chunk_id"))

        _summaries = d.pop("summaries", UNSET)
        summaries: list[FoundSummary] | Unset = UNSET
        if _summaries is not UNSET:
            summaries = []
            for summaries_item_data in _summaries:
                summaries_item = FoundSummary.from_dict(summaries_item_data)

                summaries.append(summaries_item)

        _cut = d.pop("cut", UNSET)
        cut: MessagesResultCut | Unset
        if isinstance(_cut, Unset):
            cut = UNSET
        else:
            cut = MessagesResultCut.from_dict(_cut)

        messages_result = cls(
            type=type,
            conversation_id=conversation_id,
            conversation=conversation,
            start_sequence=start_sequence,
            end_sequence=end_sequence,
            score=score,
            relevance=relevance,
            matches=matches,
            messages=messages,
            chunk_id=chunk_id,
            summaries=summaries,
            cut=cut,
        )

        return messages_result
