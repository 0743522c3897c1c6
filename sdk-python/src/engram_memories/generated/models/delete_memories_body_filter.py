# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.delete_memories_body_filter_kind import (
    DeleteMemoriesBodyFilterKind,
    check_delete_memories_body_filter_kind,
)
from ..types import UNSET, Unset

T = TypeVar("T", bound="DeleteMemoriesBodyFilter")


@_attrs_define
class DeleteMemoriesBodyFilter:
    """Memories to delete. All conditions must match; at least one is required."""

    agent_id: str | Unset = UNSET
    """ Only memories of this agent. """
    user_id: str | Unset = UNSET
    """ Only memories of this user. Memories without a user do not match. """
    kind: DeleteMemoriesBodyFilterKind | Unset = UNSET
    """ Only memories of this kind. """
    source: str | Unset = UNSET
    """ Only memories from this source. """
    tags_any: list[str] | Unset = UNSET
    """ Only memories with at least one of these tags. """
    tags_all: list[str] | Unset = UNSET
    """ Only memories with all of these tags. """
    created_after: str | Unset = UNSET
    """ Only memories captured at or after this time. """
    created_before: str | Unset = UNSET
    """ Only memories captured before this time. """
    metadata: Any | Unset = UNSET
    """ Only memories whose `metadata` has all of these keys with these values at its top level. At most 16 keys.
    """

    def to_dict(self) -> dict[str, Any]:
        agent_id = self.agent_id

        user_id = self.user_id

        kind: str | Unset = UNSET
        if not isinstance(self.kind, Unset):
            kind = self.kind

        source = self.source

        tags_any: list[str] | Unset = UNSET
        if not isinstance(self.tags_any, Unset):
            tags_any = self.tags_any

        tags_all: list[str] | Unset = UNSET
        if not isinstance(self.tags_all, Unset):
            tags_all = self.tags_all

        created_after = self.created_after

        created_before = self.created_before

        metadata = self.metadata

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if agent_id is not UNSET:
            field_dict["agent_id"] = agent_id
        if user_id is not UNSET:
            field_dict["user_id"] = user_id
        if kind is not UNSET:
            field_dict["kind"] = kind
        if source is not UNSET:
            field_dict["source"] = source
        if tags_any is not UNSET:
            field_dict["tags_any"] = tags_any
        if tags_all is not UNSET:
            field_dict["tags_all"] = tags_all
        if created_after is not UNSET:
            field_dict["created_after"] = created_after
        if created_before is not UNSET:
            field_dict["created_before"] = created_before
        if metadata is not UNSET:
            field_dict["metadata"] = metadata

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        agent_id = d.pop("agent_id", UNSET)

        user_id = d.pop("user_id", UNSET)

        _kind = d.pop("kind", UNSET)
        kind: DeleteMemoriesBodyFilterKind | Unset
        if isinstance(_kind, Unset):
            kind = UNSET
        else:
            kind = check_delete_memories_body_filter_kind(_kind)

        source = d.pop("source", UNSET)

        tags_any = cast(list[str], d.pop("tags_any", UNSET))

        tags_all = cast(list[str], d.pop("tags_all", UNSET))

        created_after = d.pop("created_after", UNSET)

        created_before = d.pop("created_before", UNSET)

        metadata = d.pop("metadata", UNSET)

        delete_memories_body_filter = cls(
            agent_id=agent_id,
            user_id=user_id,
            kind=kind,
            source=source,
            tags_any=tags_any,
            tags_all=tags_all,
            created_after=created_after,
            created_before=created_before,
            metadata=metadata,
        )

        return delete_memories_body_filter
