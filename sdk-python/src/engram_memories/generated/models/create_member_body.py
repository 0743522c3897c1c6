# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.role import Role, check_role
from ..types import UNSET, Unset

T = TypeVar("T", bound="CreateMemberBody")


@_attrs_define
class CreateMemberBody:
    name: str
    """ Name of the person. """
    role: Role
    """ What a member may do. `reader`: read and search. `writer`: also write and delete. `admin`: everything that a
    key with the scope `admin` may do, except what is only for owners. `owner`: also manage owners, create keys with
    the scope `admin`, and delete the organization. """
    email: None | str | Unset = UNSET
    """ Email address, compared and returned in lower case. An identity provider that proves it signs the member in.
    """
    agent_id: None | str | Unset = UNSET
    """ Bind the member to one agent, as a key can be. Not for the roles `owner` and `admin`. """
    user_id: None | str | Unset = UNSET
    """ Bind the member to one user, as a key can be. Not for the roles `owner` and `admin`. """

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        role: str = self.role

        email: None | str | Unset
        if isinstance(self.email, Unset):
            email = UNSET
        else:
            email = self.email

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

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "role": role,
            }
        )
        if email is not UNSET:
            field_dict["email"] = email
        if agent_id is not UNSET:
            field_dict["agent_id"] = agent_id
        if user_id is not UNSET:
            field_dict["user_id"] = user_id

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name")

        role = check_role(d.pop("role"))

        def _parse_email(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        email = _parse_email(d.pop("email", UNSET))

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

        create_member_body = cls(
            name=name,
            role=role,
            email=email,
            agent_id=agent_id,
            user_id=user_id,
        )

        return create_member_body
