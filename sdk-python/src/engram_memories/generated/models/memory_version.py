# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.memory_kind import MemoryKind, check_memory_kind

T = TypeVar("T", bound="MemoryVersion")


@_attrs_define
class MemoryVersion:
    """A memory as it was from `stored_at` until `replaced_at`. Each version has all of its fields but `sources`, `shared`
    and `expires_at`, which only the memory itself has.

    """

    version: int
    """ Number of the version. It increases with each change, but not by one: capturing the same content again also
    increases it, and keeps no earlier version. """
    kind: MemoryKind
    """ `note`: something to remember. `summary`: a summary of content from elsewhere, such as a conversation. """
    content: str
    """ Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be
    empty only if `parts` is given. """
    parts: Any
    """ The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At
    most 500,000 bytes as JSON. Not searched. """
    source: None | str
    """ Your own name for the source of the memory. """
    user_id: None | str
    """ Your own id for the user that the conversation or memory belongs to. """
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
    key_id: None | str
    """ Key of the request that stored this version. Null if the text model in `enriched_by` wrote it, or if it was
    stored by a release without versions. """
    stored_at: str
    """ Time when this version was stored. """
    replaced_at: None | str
    """ Time when the next version was stored. Null for the current version, which is the memory as it is now. """

    def to_dict(self) -> dict[str, Any]:
        version = self.version

        kind: str = self.kind

        content = self.content

        parts = self.parts

        source: None | str
        source = self.source

        user_id: None | str
        user_id = self.user_id

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

        key_id: None | str
        key_id = self.key_id

        stored_at = self.stored_at

        replaced_at: None | str
        replaced_at = self.replaced_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "version": version,
                "kind": kind,
                "content": content,
                "parts": parts,
                "source": source,
                "user_id": user_id,
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
                "key_id": key_id,
                "stored_at": stored_at,
                "replaced_at": replaced_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        version = d.pop("version")

        kind = check_memory_kind(d.pop("kind"))

        content = d.pop("content")

        parts = d.pop("parts")

        def _parse_source(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        source = _parse_source(d.pop("source"))

        def _parse_user_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        user_id = _parse_user_id(d.pop("user_id"))

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

        def _parse_key_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        key_id = _parse_key_id(d.pop("key_id"))

        stored_at = d.pop("stored_at")

        def _parse_replaced_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        replaced_at = _parse_replaced_at(d.pop("replaced_at"))

        memory_version = cls(
            version=version,
            kind=kind,
            content=content,
            parts=parts,
            source=source,
            user_id=user_id,
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
            key_id=key_id,
            stored_at=stored_at,
            replaced_at=replaced_at,
        )

        return memory_version
