# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="Presence")


@_attrs_define
class Presence:
    """A key or socket that is present in a conversation. It is not stored durably."""

    id: str
    """ Id of this presence: that of the key, or of the grant, if it was set with this API, otherwise one that the
    socket has until it closes. """
    key_id: str
    """ The key that set it, or that created the ticket of the socket. """
    agent_id: None | str
    """ The agent that the key or ticket is bound to; otherwise null. """
    user_id: None | str
    """ The user that the key or ticket is bound to; otherwise null. """
    state: Any
    since: str
    """ Time when it was first set. A later change of `state` keeps it. """
    expires_at: None | str
    """ Time when it ends. Null for a socket, where it ends when the socket closes. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        key_id = self.key_id

        agent_id: None | str
        agent_id = self.agent_id

        user_id: None | str
        user_id = self.user_id

        state = self.state

        since = self.since

        expires_at: None | str
        expires_at = self.expires_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "key_id": key_id,
                "agent_id": agent_id,
                "user_id": user_id,
                "state": state,
                "since": since,
                "expires_at": expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        key_id = d.pop("key_id")

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

        state = d.pop("state")

        since = d.pop("since")

        def _parse_expires_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        expires_at = _parse_expires_at(d.pop("expires_at"))

        presence = cls(
            id=id,
            key_id=key_id,
            agent_id=agent_id,
            user_id=user_id,
            state=state,
            since=since,
            expires_at=expires_at,
        )

        return presence
