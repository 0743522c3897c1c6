# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.summary_sentence import SummarySentence


T = TypeVar("T", bound="Summary")


@_attrs_define
class Summary:
    """A summary of a part of a conversation. It is derived from messages, each of its sentences cites some, and it is
    deleted when one of the messages is changed or deleted.

    """

    conversation_id: str
    """ Id of a conversation. """
    level: int
    """ 1: a summary of messages, of 24 sequence numbers or 3,000 tokens. 2: of up to eight summaries of level 1,
    and so on. """
    from_sequence: int
    """ Sequence number of the first message that the summary covers. """
    to_sequence: int
    """ Sequence number of the last message that the summary covers. """
    source_count: int
    """ Number of messages that it was made from; above level 1, of summaries. """
    full: bool
    """ Whether no later message belongs to it. False for the end of a conversation: a longer summary replaces it
    when the conversation has gone on. """
    sentences: list[SummarySentence]
    """ At most eight sentences in the order of the messages; none if the messages have no sentence. """
    model: None | str
    """ Text model that wrote the sentences. Null if they are verbatim sentences of the messages, which no model
    chose. """
    rules: int
    """ Version of the service's rules for summaries that made it. """
    source_hash: str
    """ SHA-256 in hex of what it was made from. On level 1, of the JSON array with `[sequence, role, name,
    content]` of each message; above, of the JSON array with the `source_hash` of each summary. """
    created_at: str
    """ Time when the summary was made. """

    def to_dict(self) -> dict[str, Any]:
        conversation_id = self.conversation_id

        level = self.level

        from_sequence = self.from_sequence

        to_sequence = self.to_sequence

        source_count = self.source_count

        full = self.full

        sentences = []
        for sentences_item_data in self.sentences:
            sentences_item = sentences_item_data.to_dict()
            sentences.append(sentences_item)

        model: None | str
        model = self.model

        rules = self.rules

        source_hash = self.source_hash

        created_at = self.created_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "conversation_id": conversation_id,
                "level": level,
                "from_sequence": from_sequence,
                "to_sequence": to_sequence,
                "source_count": source_count,
                "full": full,
                "sentences": sentences,
                "model": model,
                "rules": rules,
                "source_hash": source_hash,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.summary_sentence import SummarySentence  # noqa: PLC0415

        d = dict(src_dict)
        conversation_id = d.pop("conversation_id")

        level = d.pop("level")

        from_sequence = d.pop("from_sequence")

        to_sequence = d.pop("to_sequence")

        source_count = d.pop("source_count")

        full = d.pop("full")

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

        rules = d.pop("rules")

        source_hash = d.pop("source_hash")

        created_at = d.pop("created_at")

        summary = cls(
            conversation_id=conversation_id,
            level=level,
            from_sequence=from_sequence,
            to_sequence=to_sequence,
            source_count=source_count,
            full=full,
            sentences=sentences,
            model=model,
            rules=rules,
            source_hash=source_hash,
            created_at=created_at,
        )

        return summary
