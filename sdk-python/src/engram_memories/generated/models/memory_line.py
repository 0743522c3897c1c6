# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.memory_kind import MemoryKind, check_memory_kind
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.memory_line_given import MemoryLineGiven
    from ..models.memory_line_sources_item import MemoryLineSourcesItem


T = TypeVar("T", bound="MemoryLine")


@_attrs_define
class MemoryLine:
    """A memory with its full content."""

    type: Literal["memory"]
    id: str
    """ Id of a memory. """
    kind: MemoryKind
    """ `note`: something to remember. `summary`: a summary of content from elsewhere, such as a conversation. """
    content: str
    """ Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be
    empty only if `parts` is given. """
    source: None | str
    """ Your own name for the source of the memory. """
    agent_id: None | str
    """ Your own id for the agent that the conversation or memory belongs to. """
    tags: list[str]
    """ Labels to filter by, returned in the order in which you sent them. At most 64. """
    summary: None | str
    """ Short summary of the content. At most 1,000 characters. """
    metadata: Any
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
    given: MemoryLineGiven
    """ Whether you gave the tags and the summary. A text model never replaces those that you gave. """
    parts: Any | Unset = UNSET
    """ The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At
    most 500,000 bytes as JSON. Not searched. """
    sources: list[MemoryLineSourcesItem] | Unset = UNSET
    """ Messages that the memory cites. They are imported as they are, and not compared with the messages. """
    user_id: None | str | Unset = UNSET
    """ Your own id for the user that the conversation or memory belongs to. """
    shared: bool | Unset = UNSET
    """ Whether every user of the organization can read it beside their own. What is shared belongs to no user, and
    only a key that is bound to no user can change it. """
    external_id: None | str | Unset = UNSET
    """ Your own id for the memory, unique among the memories of its agent and user. """
    valid_from: None | str | Unset = UNSET
    """ Time from which the memory holds, such as the day of a move. Null: it held at all times before
    `valid_until`. """
    valid_until: None | str | Unset = UNSET
    """ Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold.
    Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time. """
    occurred_at: None | str | Unset = UNSET
    """ Time of the event that the memory is about. It does not affect search. """
    supersedes: None | str | Unset = UNSET
    """ Memory that this one replaced, which `createMemory` ended. It stays when that memory is deleted. """
    superseded_by: None | str | Unset = UNSET
    """ Memory that replaced this one: the last that was captured with this one as `supersedes`. It stays when that
    memory is deleted. """
    expires_at: None | str | Unset = UNSET
    """ Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due
    in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is
    gone; until it begins, the item is not hidden. Null: it does not expire. """
    version: int | Unset = UNSET
    """ Number of the version. It increases with each change, but not by one: capturing the same content again also
    increases it, and keeps no earlier version. """
    key_id: None | str | Unset = UNSET
    """ Key of the request that stored this version. Null if the text model in `enriched_by` wrote it, or if it was
    stored by a release without versions. """
    stored_at: None | str | Unset = UNSET
    """ Time when this version was stored. Null in exports of releases without versions; it is then the time of the
    import. """

    def to_dict(self) -> dict[str, Any]:
        type = self.type

        id = self.id

        kind: str = self.kind

        content = self.content

        source: None | str
        source = self.source

        agent_id: None | str
        agent_id = self.agent_id

        tags = self.tags

        summary: None | str
        summary = self.summary

        metadata = self.metadata

        enriched_by: None | str
        enriched_by = self.enriched_by

        content_hash = self.content_hash

        created_at = self.created_at

        updated_at = self.updated_at

        given = self.given.to_dict()

        parts = self.parts

        sources: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.sources, Unset):
            sources = []
            for sources_item_data in self.sources:
                sources_item = sources_item_data.to_dict()
                sources.append(sources_item)

        user_id: None | str | Unset
        if isinstance(self.user_id, Unset):
            user_id = UNSET
        else:
            user_id = self.user_id

        shared = self.shared

        external_id: None | str | Unset
        if isinstance(self.external_id, Unset):
            external_id = UNSET
        else:
            external_id = self.external_id

        valid_from: None | str | Unset
        if isinstance(self.valid_from, Unset):
            valid_from = UNSET
        else:
            valid_from = self.valid_from

        valid_until: None | str | Unset
        if isinstance(self.valid_until, Unset):
            valid_until = UNSET
        else:
            valid_until = self.valid_until

        occurred_at: None | str | Unset
        if isinstance(self.occurred_at, Unset):
            occurred_at = UNSET
        else:
            occurred_at = self.occurred_at

        supersedes: None | str | Unset
        if isinstance(self.supersedes, Unset):
            supersedes = UNSET
        else:
            supersedes = self.supersedes

        superseded_by: None | str | Unset
        if isinstance(self.superseded_by, Unset):
            superseded_by = UNSET
        else:
            superseded_by = self.superseded_by

        expires_at: None | str | Unset
        if isinstance(self.expires_at, Unset):
            expires_at = UNSET
        else:
            expires_at = self.expires_at

        version = self.version

        key_id: None | str | Unset
        if isinstance(self.key_id, Unset):
            key_id = UNSET
        else:
            key_id = self.key_id

        stored_at: None | str | Unset
        if isinstance(self.stored_at, Unset):
            stored_at = UNSET
        else:
            stored_at = self.stored_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "type": type,
                "id": id,
                "kind": kind,
                "content": content,
                "source": source,
                "agent_id": agent_id,
                "tags": tags,
                "summary": summary,
                "metadata": metadata,
                "enriched_by": enriched_by,
                "content_hash": content_hash,
                "created_at": created_at,
                "updated_at": updated_at,
                "given": given,
            }
        )
        if parts is not UNSET:
            field_dict["parts"] = parts
        if sources is not UNSET:
            field_dict["sources"] = sources
        if user_id is not UNSET:
            field_dict["user_id"] = user_id
        if shared is not UNSET:
            field_dict["shared"] = shared
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if valid_from is not UNSET:
            field_dict["valid_from"] = valid_from
        if valid_until is not UNSET:
            field_dict["valid_until"] = valid_until
        if occurred_at is not UNSET:
            field_dict["occurred_at"] = occurred_at
        if supersedes is not UNSET:
            field_dict["supersedes"] = supersedes
        if superseded_by is not UNSET:
            field_dict["superseded_by"] = superseded_by
        if expires_at is not UNSET:
            field_dict["expires_at"] = expires_at
        if version is not UNSET:
            field_dict["version"] = version
        if key_id is not UNSET:
            field_dict["key_id"] = key_id
        if stored_at is not UNSET:
            field_dict["stored_at"] = stored_at

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.memory_line_given import MemoryLineGiven  # noqa: PLC0415
        from ..models.memory_line_sources_item import MemoryLineSourcesItem  # noqa: PLC0415

        d = dict(src_dict)
        type = cast(Literal["memory"], d.pop("type"))
        if type != "memory":
            raise ValueError(f"type must match const 'memory', got '{type}'")

        id = d.pop("id")

        kind = check_memory_kind(d.pop("kind"))

        content = d.pop("content")

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

        tags = cast(list[str], d.pop("tags"))

        def _parse_summary(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        summary = _parse_summary(d.pop("summary"))

        metadata = d.pop("metadata")

        def _parse_enriched_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        enriched_by = _parse_enriched_by(d.pop("enriched_by"))

        content_hash = d.pop("content_hash")

        created_at = d.pop("created_at")

        updated_at = d.pop("updated_at")

        given = MemoryLineGiven.from_dict(d.pop("given"))

        parts = d.pop("parts", UNSET)

        _sources = d.pop("sources", UNSET)
        sources: list[MemoryLineSourcesItem] | Unset = UNSET
        if _sources is not UNSET:
            sources = []
            for sources_item_data in _sources:
                sources_item = MemoryLineSourcesItem.from_dict(sources_item_data)

                sources.append(sources_item)

        def _parse_user_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        user_id = _parse_user_id(d.pop("user_id", UNSET))

        shared = d.pop("shared", UNSET)

        def _parse_external_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        external_id = _parse_external_id(d.pop("external_id", UNSET))

        def _parse_valid_from(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        valid_from = _parse_valid_from(d.pop("valid_from", UNSET))

        def _parse_valid_until(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        valid_until = _parse_valid_until(d.pop("valid_until", UNSET))

        def _parse_occurred_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        occurred_at = _parse_occurred_at(d.pop("occurred_at", UNSET))

        def _parse_supersedes(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        supersedes = _parse_supersedes(d.pop("supersedes", UNSET))

        def _parse_superseded_by(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        superseded_by = _parse_superseded_by(d.pop("superseded_by", UNSET))

        def _parse_expires_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        expires_at = _parse_expires_at(d.pop("expires_at", UNSET))

        version = d.pop("version", UNSET)

        def _parse_key_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        key_id = _parse_key_id(d.pop("key_id", UNSET))

        def _parse_stored_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        stored_at = _parse_stored_at(d.pop("stored_at", UNSET))

        memory_line = cls(
            type=type,
            id=id,
            kind=kind,
            content=content,
            source=source,
            agent_id=agent_id,
            tags=tags,
            summary=summary,
            metadata=metadata,
            enriched_by=enriched_by,
            content_hash=content_hash,
            created_at=created_at,
            updated_at=updated_at,
            given=given,
            parts=parts,
            sources=sources,
            user_id=user_id,
            shared=shared,
            external_id=external_id,
            valid_from=valid_from,
            valid_until=valid_until,
            occurred_at=occurred_at,
            supersedes=supersedes,
            superseded_by=superseded_by,
            expires_at=expires_at,
            version=version,
            key_id=key_id,
            stored_at=stored_at,
        )

        return memory_line
