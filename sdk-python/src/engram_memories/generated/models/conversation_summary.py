# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="ConversationSummary")


@_attrs_define
class ConversationSummary:
    """The conversation of the messages."""

    title: None | str
    """ Title of the conversation. At most 1,000 characters. """
    external_id: None | str
    """ Your own id for the conversation, unique within the organization. """
    agent_id: None | str
    """ Your own id for the agent that the conversation or memory belongs to. """
    user_id: None | str
    """ Your own id for the user that the conversation or memory belongs to. """
    shared: bool
    """ Whether every user of the organization can read it beside their own. What is shared belongs to no user, and
    only a key that is bound to no user can change it. """
    tags: list[str]
    """ Labels to filter by, returned in the order in which you sent them. At most 64. """
    created_at: str
    """ Time when the conversation was created. """

    def to_dict(self) -> dict[str, Any]:
        title: None | str
        title = self.title

        external_id: None | str
        external_id = self.external_id

        agent_id: None | str
        agent_id = self.agent_id

        user_id: None | str
        user_id = self.user_id

        shared = self.shared

        tags = self.tags

        created_at = self.created_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "title": title,
                "external_id": external_id,
                "agent_id": agent_id,
                "user_id": user_id,
                "shared": shared,
                "tags": tags,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_title(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        title = _parse_title(d.pop("title"))

        def _parse_external_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        external_id = _parse_external_id(d.pop("external_id"))

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

        tags = cast(list[str], d.pop("tags"))

        created_at = d.pop("created_at")

        conversation_summary = cls(
            title=title,
            external_id=external_id,
            agent_id=agent_id,
            user_id=user_id,
            shared=shared,
            tags=tags,
            created_at=created_at,
        )

        return conversation_summary
