# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.role import Role, check_role
from ..types import UNSET, Unset

T = TypeVar("T", bound="UpdateMemberBody")


@_attrs_define
class UpdateMemberBody:
    name: str | Unset = UNSET
    """ Name of the person. """
    role: Role | Unset = UNSET
    """ What a member may do. `reader`: read and search. `writer`: also write and delete. `admin`: everything that a
    key with the scope `admin` may do, except what is only for owners. `owner`: also manage owners, create keys with
    the scope `admin`, and delete the organization. """
    email: None | str | Unset = UNSET
    """ Email address. Another one, or null, also ends the sign-in with the identity provider so far. """

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        role: str | Unset = UNSET
        if not isinstance(self.role, Unset):
            role = self.role

        email: None | str | Unset
        if isinstance(self.email, Unset):
            email = UNSET
        else:
            email = self.email

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if name is not UNSET:
            field_dict["name"] = name
        if role is not UNSET:
            field_dict["role"] = role
        if email is not UNSET:
            field_dict["email"] = email

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name", UNSET)

        _role = d.pop("role", UNSET)
        role: Role | Unset
        if isinstance(_role, Unset):
            role = UNSET
        else:
            role = check_role(_role)

        def _parse_email(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        email = _parse_email(d.pop("email", UNSET))

        update_member_body = cls(
            name=name,
            role=role,
            email=email,
        )

        return update_member_body
