# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="RecallLineKey")


@_attrs_define
class RecallLineKey:
    """Key of the request."""

    id: str
    """ Id of the API key, or of the member, that did it. """
    agent_id: None | str
    """ Agent that the key was bound to. """
    user_id: None | str
    """ User that the key was bound to. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        agent_id: None | str
        agent_id = self.agent_id

        user_id: None | str
        user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "agent_id": agent_id,
                "user_id": user_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

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

        recall_line_key = cls(
            id=id,
            agent_id=agent_id,
            user_id=user_id,
        )

        return recall_line_key
