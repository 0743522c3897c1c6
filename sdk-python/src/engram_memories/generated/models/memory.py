# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.memory_kind import MemoryKind, check_memory_kind

if TYPE_CHECKING:
    from ..models.source import Source


T = TypeVar("T", bound="Memory")


@_attrs_define
class Memory:
    id: str
    """ Id of a memory. """
    kind: MemoryKind
    """ `note`: something to remember. `summary`: a summary of content from elsewhere, such as a conversation. """
    content: str
    """ Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be
    empty only if `parts` is given. """
    parts: Any
    """ The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At
    most 500,000 bytes as JSON. Not searched. """
    sources: list[Source]
    """ Messages that the memory was derived from, in the order in which you sent them. The ids stay when a message
    is deleted; its text does not. """
    source: None | str
    """ Your own name for the source of the memory. """
    agent_id: None | str
    """ Your own id for the agent that the conversation or memory belongs to. """
    user_id: None | str
    """ Your own id for the user that the conversation or memory belongs to. """
    shared: bool
    """ Whether every user of the organization can read it beside their own. What is shared belongs to no user, and
    only a key that is bound to no user can change it. """
    external_id: None | str
    """ Your own id for the memory, unique among the memories of its agent and user. """
    tags: list[str]
    """ Labels to filter by, returned in the order in which you sent them. At most 64. """
    summary: None | str
    """ Short summary of the content. At most 1,000 characters. """
    metadata: Any
    valid_from: None | str
    """ Time from which the memory holds, such as the day of a move. Null: it held at all times before
    `valid_until`. """
    valid_until: None | str
    """ Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold.
    Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time. """
    occurred_at: None | str
    """ Time of the event that the memory is about. It does not affect search. """
    supersedes: None | str
    """ Memory that this one replaced, which `createMemory` ended. It stays when that memory is deleted. """
    superseded_by: None | str
    """ Memory that replaced this one: the last that was captured with this one as `supersedes`. It stays when that
    memory is deleted. """
    enriched_by: None | str
    """ Text model that wrote the tags or the summary because you gave none; null if no model wrote any.
    `engram/extractive-1` is not a model: it means that the service extracted them from the content by fixed rules.
    """
    content_hash: str
    """ SHA-256 of the content as UTF-8, in hex. Unique among the memories of an agent and user that have no
    `external_id`. """
    created_at: str
    """ Time when the memory was captured (stored), with millisecond precision. For a memory from the past, it is
    the time that you set. """
    updated_at: str
    """ Time when the memory was last changed, or when its content was last captured again. """
    expires_at: None | str
    """ Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due
    in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is
    gone; until it begins, the item is not hidden. Null: it does not expire. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        kind: str = self.kind

        content = self.content

        parts = self.parts

        sources = []
        for sources_item_data in self.sources:
            sources_item = sources_item_data.to_dict()
            sources.append(sources_item)

        source: None | str
        source = self.source

        agent_id: None | str
        agent_id = self.agent_id

        user_id: None | str
        user_id = self.user_id

        shared = self.shared

        external_id: None | str
        external_id = self.external_id

        tags = self.tags

        summary: None | str
        summary = self.summary

        metadata = self.metadata

        valid_from: None | str
        valid_from = self.valid_from

        valid_until: None | str
        valid_until = self.valid_until

        occurred_at: None | str
        occurred_at = self.occurred_at

        supersedes: None | str
        supersedes = self.supersedes

        superseded_by: None | str
        superseded_by = self.superseded_by

        enriched_by: None | str
        enriched_by = self.enriched_by

        content_hash = self.content_hash

        created_at = self.created_at

        updated_at = self.updated_at

        expires_at: None | str
        expires_at = self.expires_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "kind": kind,
                "content": content,
                "parts": parts,
                "sources": sources,
                "source": source,
                "agent_id": agent_id,
                "user_id": user_id,
                "shared": shared,
                "external_id": external_id,
                "tags": tags,
                "summary": summary,
                "metadata": metadata,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "occurred_at": occurred_at,
                "supersedes": supersedes,
                "superseded_by": superseded_by,
                "enriched_by": enriched_by,
                "content_hash": content_hash,
                "created_at": created_at,
                "updated_at": updated_at,
                "expires_at": expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.source import Source  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        kind = check_memory_kind(d.pop("kind"))

        content = d.pop("content")

        parts = d.pop("parts")

        sources = []
        _sources = d.pop("sources")
        for sources_item_data in _sources:
            sources_item = Source.from_dict(sources_item_data)

            sources.append(sources_item)

        def _parse_source(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        source = _parse_source(d.pop("source"))

        def _parse_agent_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        agent_id = _parse_agent_id(d.pop("agent_id"))

        def _parse_user_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        user_id = _parse_user_id(d.pop("user_id"))

        shared = d.pop("shared")

        def _parse_external_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        external_id = _parse_external_id(d.pop("external_id"))

        tags = cast(list[str], d.pop("tags"))

        def _parse_summary(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        summary = _parse_summary(d.pop("summary"))

        metadata = d.pop("metadata")

        def _parse_valid_from(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        valid_from = _parse_valid_from(d.pop("valid_from"))

        def _parse_valid_until(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        valid_until = _parse_valid_until(d.pop("valid_until"))

        def _parse_occurred_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        occurred_at = _parse_occurred_at(d.pop("occurred_at"))

        def _parse_supersedes(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        supersedes = _parse_supersedes(d.pop("supersedes"))

        def _parse_superseded_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        superseded_by = _parse_superseded_by(d.pop("superseded_by"))

        def _parse_enriched_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        enriched_by = _parse_enriched_by(d.pop("enriched_by"))

        content_hash = d.pop("content_hash")

        created_at = d.pop("created_at")

        updated_at = d.pop("updated_at")

        def _parse_expires_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        expires_at = _parse_expires_at(d.pop("expires_at"))

        memory = cls(
            id=id,
            kind=kind,
            content=content,
            parts=parts,
            sources=sources,
            source=source,
            agent_id=agent_id,
            user_id=user_id,
            shared=shared,
            external_id=external_id,
            tags=tags,
            summary=summary,
            metadata=metadata,
            valid_from=valid_from,
            valid_until=valid_until,
            occurred_at=occurred_at,
            supersedes=supersedes,
            superseded_by=superseded_by,
            enriched_by=enriched_by,
            content_hash=content_hash,
            created_at=created_at,
            updated_at=updated_at,
            expires_at=expires_at,
        )

        return memory
