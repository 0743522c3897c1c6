# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.message_page import MessagePage


T = TypeVar("T", bound="ConversationWithMessages")


@_attrs_define
class ConversationWithMessages:
    id: str
    """ Id of a conversation. """
    external_id: None | str
    """ Your own id for the conversation, unique within the organization. """
    title: None | str
    """ Title of the conversation. At most 1,000 characters. """
    agent_id: None | str
    """ Your own id for the agent that the conversation or memory belongs to. """
    user_id: None | str
    """ Your own id for the user that the conversation or memory belongs to. """
    shared: bool
    """ Whether every user of the organization can read it beside their own. What is shared belongs to no user, and
    only a key that is bound to no user can change it. """
    tags: list[str]
    """ Labels to filter by, returned in the order in which you sent them. At most 64. """
    metadata: Any
    message_count: int
    """ Number of messages in the conversation. """
    last_sequence: int
    """ Highest sequence number (position) that a message of the conversation has ever had; 0 if there never was a
    message. Deleting messages does not lower it. """
    last_message_at: None | str
    """ `created_at` of the last message, the one with the highest sequence number; null without messages. """
    created_at: str
    """ Time when the conversation was created. """
    updated_at: str
    """ Time of the last change to the conversation or to one of its messages. """
    expires_at: None | str
    """ Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due
    in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is
    gone; until it begins, the item is not hidden. Null: it does not expire. """
    messages: MessagePage
    """ One page of a list. """
    edited_since: bool | Unset = UNSET
    """ Present only with `as_of`, if the item was changed after that moment. Its fields are those of today, because
    earlier ones are not kept. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        external_id: None | str
        external_id = self.external_id

        title: None | str
        title = self.title

        agent_id: None | str
        agent_id = self.agent_id

        user_id: None | str
        user_id = self.user_id

        shared = self.shared

        tags = self.tags

        metadata = self.metadata

        message_count = self.message_count

        last_sequence = self.last_sequence

        last_message_at: None | str
        last_message_at = self.last_message_at

        created_at = self.created_at

        updated_at = self.updated_at

        expires_at: None | str
        expires_at = self.expires_at

        messages = self.messages.to_dict()

        edited_since = self.edited_since

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "external_id": external_id,
                "title": title,
                "agent_id": agent_id,
                "user_id": user_id,
                "shared": shared,
                "tags": tags,
                "metadata": metadata,
                "message_count": message_count,
                "last_sequence": last_sequence,
                "last_message_at": last_message_at,
                "created_at": created_at,
                "updated_at": updated_at,
                "expires_at": expires_at,
                "messages": messages,
            }
        )
        if edited_since is not UNSET:
            field_dict["edited_since"] = edited_since

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.message_page import MessagePage  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        def _parse_external_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        external_id = _parse_external_id(d.pop("external_id"))

        def _parse_title(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        title = _parse_title(d.pop("title"))

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

        metadata = d.pop("metadata")

        message_count = d.pop("message_count")

        last_sequence = d.pop("last_sequence")

        def _parse_last_message_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        last_message_at = _parse_last_message_at(d.pop("last_message_at"))

        created_at = d.pop("created_at")

        updated_at = d.pop("updated_at")

        def _parse_expires_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        expires_at = _parse_expires_at(d.pop("expires_at"))

        messages = MessagePage.from_dict(d.pop("messages"))

        edited_since = d.pop("edited_since", UNSET)

        conversation_with_messages = cls(
            id=id,
            external_id=external_id,
            title=title,
            agent_id=agent_id,
            user_id=user_id,
            shared=shared,
            tags=tags,
            metadata=metadata,
            message_count=message_count,
            last_sequence=last_sequence,
            last_message_at=last_message_at,
            created_at=created_at,
            updated_at=updated_at,
            expires_at=expires_at,
            messages=messages,
            edited_since=edited_since,
        )

        return conversation_with_messages
