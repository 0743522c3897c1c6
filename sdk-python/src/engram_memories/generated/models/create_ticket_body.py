# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="CreateTicketBody")


@_attrs_define
class CreateTicketBody:
    ttl_seconds: int | Unset = UNSET
    """ Number of seconds in which the ticket can be used, at most 60. Default 60. """
    conversation_id: None | str | Unset = UNSET
    """ The socket gets only events and broadcasts of this conversation. """
    agent_id: None | str | Unset = UNSET
    """ The socket gets only what a key bound to this agent would get. """
    user_id: None | str | Unset = UNSET
    """ The socket gets only what a key bound to this user would get. """
    origin: str | Unset = UNSET
    """ The ticket opens a socket only for pages of this origin, in lower case and without a default port. Default:
    for any program. """
    include_key_events: bool | Unset = UNSET
    """ Whether the socket also gets events of keys, if the key has the scope `admin`. Default `false`. """

    def to_dict(self) -> dict[str, Any]:
        ttl_seconds = self.ttl_seconds

        conversation_id: None | str | Unset
        if isinstance(self.conversation_id, Unset):
            conversation_id = UNSET
        else:
            conversation_id = self.conversation_id

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

        origin = self.origin

        include_key_events = self.include_key_events

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if ttl_seconds is not UNSET:
            field_dict["ttl_seconds"] = ttl_seconds
        if conversation_id is not UNSET:
            field_dict["conversation_id"] = conversation_id
        if agent_id is not UNSET:
            field_dict["agent_id"] = agent_id
        if user_id is not UNSET:
            field_dict["user_id"] = user_id
        if origin is not UNSET:
            field_dict["origin"] = origin
        if include_key_events is not UNSET:
            field_dict["include_key_events"] = include_key_events

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        ttl_seconds = d.pop("ttl_seconds", UNSET)

        def _parse_conversation_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        conversation_id = _parse_conversation_id(d.pop("conversation_id", UNSET))

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

        origin = d.pop("origin", UNSET)

        include_key_events = d.pop("include_key_events", UNSET)

        create_ticket_body = cls(
            ttl_seconds=ttl_seconds,
            conversation_id=conversation_id,
            agent_id=agent_id,
            user_id=user_id,
            origin=origin,
            include_key_events=include_key_events,
        )

        return create_ticket_body
