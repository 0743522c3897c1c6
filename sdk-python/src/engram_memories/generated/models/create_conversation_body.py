# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="CreateConversationBody")


@_attrs_define
class CreateConversationBody:
    external_id: None | str | Unset = UNSET
    """ Your own id for the conversation. If its agent and user have one with this external id, that one is returned
    with 200, unchanged. """
    title: None | str | Unset = UNSET
    """ Title of the conversation. At most 1,000 characters. """
    agent_id: None | str | Unset = UNSET
    """ Your own id for the agent that the conversation belongs to. A key bound to an agent sets that agent, and
    rejects any other with 403. """
    user_id: None | str | Unset = UNSET
    """ Your own id for the user that the conversation or memory belongs to. """
    shared: bool | None | Unset = UNSET
    """ `true`: every user of the organization can read it beside their own; it then has no `user_id`. Only a key
    that is bound to no user can share; any other gets 403. Default `false`. """
    tags: list[str] | Unset = UNSET
    """ Labels to filter by, returned in the order in which you sent them. At most 64. """
    metadata: Any | Unset = UNSET
    expires_at: None | str | Unset = UNSET
    """ Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due
    in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is
    gone; until it begins, the item is not hidden. Null: it does not expire. """

    def to_dict(self) -> dict[str, Any]:
        external_id: None | str | Unset
        if isinstance(self.external_id, Unset):
            external_id = UNSET
        else:
            external_id = self.external_id

        title: None | str | Unset
        if isinstance(self.title, Unset):
            title = UNSET
        else:
            title = self.title

        agent_id: None | str | Unset
        if isinstance(self.agent_id, Unset):
            agent_id = UNSET
        else:
            agent_id = self.agent_id

        user_id: None | str | Unset
        if isinstance(self.user_id, Unset):
            user_id = UNSET
        else:
            user_id = self.user_id

        shared: bool | None | Unset
        if isinstance(self.shared, Unset):
            shared = UNSET
        else:
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
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if title is not UNSET:
            field_dict["title"] = title
        if agent_id is not UNSET:
            field_dict["agent_id"] = agent_id
        if user_id is not UNSET:
            field_dict["user_id"] = user_id
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

        def _parse_external_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        external_id = _parse_external_id(d.pop("external_id", UNSET))

        def _parse_title(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        title = _parse_title(d.pop("title", UNSET))

        def _parse_agent_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        agent_id = _parse_agent_id(d.pop("agent_id", UNSET))

        def _parse_user_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        user_id = _parse_user_id(d.pop("user_id", UNSET))

        def _parse_shared(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        shared = _parse_shared(d.pop("shared", UNSET))

        tags = cast(list[str], d.pop("tags", UNSET))

        metadata = d.pop("metadata", UNSET)

        def _parse_expires_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        expires_at = _parse_expires_at(d.pop("expires_at", UNSET))

        create_conversation_body = cls(
            external_id=external_id,
            title=title,
            agent_id=agent_id,
            user_id=user_id,
            shared=shared,
            tags=tags,
            metadata=metadata,
            expires_at=expires_at,
        )

        return create_conversation_body
