# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.recalled_item_part import RecalledItemPart, check_recalled_item_part
from ..models.recalled_item_type import RecalledItemType, check_recalled_item_type
from ..types import UNSET, Unset

T = TypeVar("T", bound="RecalledItem")


@_attrs_define
class RecalledItem:
    """An item of an answer, without its content."""

    type: RecalledItemType
    """ What the item is. """
    id: str
    """ Id of the message or memory. It stays when the item is deleted. """
    part: RecalledItemPart
    """ List of the answer that had the item. In a search, all are `results`. In a context, `results` are messages
    that the search found, `summaries` messages that a summary cites, and `messages` the newest ones of the
    conversation. """
    conversation_id: None | str
    """ Conversation of a message; null for a memory. """
    sequence: int | None
    """ Sequence number of a message; null for a memory. """
    version: int | None
    """ Number of the version of a memory, as in `listMemoryVersions`. Null for a message, of which no versions are
    kept, and for a memory that was deleted before the answer was recorded. """
    updated_at: None | str
    """ Time of the last change to a message before the answer; null if there was none, and for a memory. """
    hash: str
    """ Keyed hash of the content that was returned: of the part, if the item was cut, and of the sentences that
    cite it, if only a summary had the message. It is the first half of HMAC-SHA-256 in base64url, computed with the
    same secret of the organization as the hashes of tombstones. It tells whether the content is still the same, and
    cannot be turned back into it. """
    score: float | None
    """ Score of the item in the search, to six digits. Null for a neighbor of a match, and in a context. """
    relevance: float | None
    """ `relevance` of the result with the item, to six digits. Null if the search did not find it. """
    content_start: int | Unset = UNSET
    """ Only of an item that was cut: start of the returned part in its content, in UTF-16 code units. """
    content_end: int | Unset = UNSET
    """ Only of an item that was cut: end of the returned part in its content, in UTF-16 code units. """

    def to_dict(self) -> dict[str, Any]:
        type: str = self.type

        id = self.id

        part: str = self.part

        conversation_id: None | str
        conversation_id = self.conversation_id

        sequence: int | None
        sequence = self.sequence

        version: int | None
        version = self.version

        updated_at: None | str
        updated_at = self.updated_at

        hash = self.hash

        score: float | None
        score = self.score

        relevance: float | None
        relevance = self.relevance

        content_start = self.content_start

        content_end = self.content_end

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "type": type,
                "id": id,
                "part": part,
                "conversation_id": conversation_id,
                "sequence": sequence,
                "version": version,
                "updated_at": updated_at,
                "hash": hash,
                "score": score,
                "relevance": relevance,
            }
        )
        if content_start is not UNSET:
            field_dict["content_start"] = content_start
        if content_end is not UNSET:
            field_dict["content_end"] = content_end

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        type = check_recalled_item_type(d.pop("type"))

        id = d.pop("id")

        part = check_recalled_item_part(d.pop("part"))

        def _parse_conversation_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        conversation_id = _parse_conversation_id(d.pop("conversation_id"))

        def _parse_sequence(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        sequence = _parse_sequence(d.pop("sequence"))

        def _parse_version(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        version = _parse_version(d.pop("version"))

        def _parse_updated_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        updated_at = _parse_updated_at(d.pop("updated_at"))

        hash = d.pop("hash")

        def _parse_score(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        score = _parse_score(d.pop("score"))

        def _parse_relevance(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        relevance = _parse_relevance(d.pop("relevance"))

        content_start = d.pop("content_start", UNSET)

        content_end = d.pop("content_end", UNSET)

        recalled_item = cls(
            type=type,
            id=id,
            part=part,
            conversation_id=conversation_id,
            sequence=sequence,
            version=version,
            updated_at=updated_at,
            hash=hash,
            score=score,
            relevance=relevance,
            content_start=content_start,
            content_end=content_end,
        )

        return recalled_item
