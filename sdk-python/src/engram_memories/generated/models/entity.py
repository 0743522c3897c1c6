# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.entity_kind import EntityKind, check_entity_kind

T = TypeVar("T", bound="Entity")


@_attrs_define
class Entity:
    """Something that messages mention, found by rules. Mentions of the same kind whose values differ only in case and
    accents are one entity.

    """

    id: str
    """ Id of an entity. It is computed from its kind and value: the same entity always has the same id in an
    organization. """
    kind: EntityKind
    """ Kind of an entity. `file`: a file name or path. `symbol`: a name in code that has several parts or is
    called. `error_code`: an error code or the name of an exception. `command`: a command line. `url`: a link.
    `ticket`: the number of an issue, ticket or pull request. `version`: a version number. `date`: a day or month.
    `amount`: an amount of money with its currency. `email`: an email address. `quoted_name`: a name or title in
    double quotes. """
    value: str
    """ The entity as its newest mention writes it. For a date, the day (`2026-03-01`) or month (`2026-03`) that is
    meant. """
    mention_count: int | None
    """ Number of mentions. Null if 1,000 messages or more mention the entity, or 1,000 conversations. """
    conversation_count: int | None
    """ Number of conversations with a mention. Null if 1,000 messages or more mention the entity, or 1,000
    conversations. """
    first_seen_at: str
    """ `created_at` of the first message with a mention. If the counts are null, of the first in the 1,000 oldest
    messages with a mention, by conversation. """
    last_seen_at: str
    """ `created_at` of the last message with a mention. If the counts are null, of the last in the 100 newest
    messages with a mention, by conversation. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        kind: str = self.kind

        value = self.value

        mention_count: int | None
        mention_count = self.mention_count

        conversation_count: int | None
        conversation_count = self.conversation_count

        first_seen_at = self.first_seen_at

        last_seen_at = self.last_seen_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "kind": kind,
                "value": value,
                "mention_count": mention_count,
                "conversation_count": conversation_count,
                "first_seen_at": first_seen_at,
                "last_seen_at": last_seen_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        kind = check_entity_kind(d.pop("kind"))

        value = d.pop("value")

        def _parse_mention_count(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        mention_count = _parse_mention_count(d.pop("mention_count"))

        def _parse_conversation_count(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        conversation_count = _parse_conversation_count(d.pop("conversation_count"))

        first_seen_at = d.pop("first_seen_at")

        last_seen_at = d.pop("last_seen_at")

        entity = cls(
            id=id,
            kind=kind,
            value=value,
            mention_count=mention_count,
            conversation_count=conversation_count,
            first_seen_at=first_seen_at,
            last_seen_at=last_seen_at,
        )

        return entity
