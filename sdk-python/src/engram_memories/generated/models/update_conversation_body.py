# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="UpdateConversationBody")


@_attrs_define
class UpdateConversationBody:
    title: None | str | Unset = UNSET
    """ Title of the conversation. At most 1,000 characters. """
    shared: bool | Unset = UNSET
    """ Whether every user of the organization can read the conversation. Only a key that is bound to no user can
    share; any other gets 403. A conversation with a user cannot be shared: the request fails with 409. """
    tags: list[str] | Unset = UNSET
    """ New tags, which replace all of the old. """
    metadata: Any | Unset = UNSET
    """ New metadata, which replaces all of the old. """
    expires_at: None | str | Unset = UNSET
    """ Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due
    in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is
    gone; until it begins, the item is not hidden. Null: it does not expire. """

    def to_dict(self) -> dict[str, Any]:
        title: None | str | Unset
        if isinstance(self.title, Unset):
            title = UNSET
        else:
            title = self.title

        shared = self.shared

        tags: list[str] | Unset = UNSET
        if not isinstance(self.tags, Unset):
            tags = self.tags

        metadata = self.metadata

        expires_at: None | str | Unset
        if isinstance(self.expires_at, Unset):
            expires_at = UNSET
        else:
            expires_at = self.expires_at

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if title is not UNSET:
            field_dict["title"] = title
        if shared is not UNSET:
            field_dict["shared"] = shared
        if tags is not UNSET:
            field_dict["tags"] = tags
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if expires_at is not UNSET:
            field_dict["expires_at"] = expires_at

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_title(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        title = _parse_title(d.pop("title", UNSET))

        shared = d.pop("shared", UNSET)

        tags = cast(list[str], d.pop("tags", UNSET))

        metadata = d.pop("metadata", UNSET)

        def _parse_expires_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        expires_at = _parse_expires_at(d.pop("expires_at", UNSET))

        update_conversation_body = cls(
            title=title,
            shared=shared,
            tags=tags,
            metadata=metadata,
            expires_at=expires_at,
        )

        return update_conversation_body
