# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.role import Role, check_role

T = TypeVar("T", bound="Member")


@_attrs_define
class Member:
    """A person of the organization."""

    id: str
    """ Id of a member. """
    name: str
    """ Name of the person. """
    role: Role
    """ What a member may do. `reader`: read and search. `writer`: also write and delete. `admin`: everything that a
    key with the scope `admin` may do, except what is only for owners. `owner`: also manage owners, create keys with
    the scope `admin`, and delete the organization. """
    email: None | str
    """ Email address in lower case; null if none is known. """
    issuer: None | str
    """ Identity provider that signs the member in; null before the first time, and for members who use sign-in
    codes. """
    subject: None | str
    """ Id of the person at that provider; null if `issuer` is. """
    agent_id: None | str
    """ Agent that the member is bound to, as a key can be. Null if there is none. """
    user_id: None | str
    """ User that the member is bound to, as a key can be. Null if there is none. """
    created_at: str
    """ Time when the member was added. """
    removed_at: None | str
    """ Time when the member was removed; null if they were not. """
    last_used_at: None | str
    """ Time of the last request of the member or a client of theirs, to the minute. Null before the first one. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        role: str = self.role

        email: None | str
        email = self.email

        issuer: None | str
        issuer = self.issuer

        subject: None | str
        subject = self.subject

        agent_id: None | str
        agent_id = self.agent_id

        user_id: None | str
        user_id = self.user_id

        created_at = self.created_at

        removed_at: None | str
        removed_at = self.removed_at

        last_used_at: None | str
        last_used_at = self.last_used_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "name": name,
                "role": role,
                "email": email,
                "issuer": issuer,
                "subject": subject,
                "agent_id": agent_id,
                "user_id": user_id,
                "created_at": created_at,
                "removed_at": removed_at,
                "last_used_at": last_used_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        role = check_role(d.pop("role"))

        def _parse_email(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        email = _parse_email(d.pop("email"))

        def _parse_issuer(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        issuer = _parse_issuer(d.pop("issuer"))

        def _parse_subject(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        subject = _parse_subject(d.pop("subject"))

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

        created_at = d.pop("created_at")

        def _parse_removed_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        removed_at = _parse_removed_at(d.pop("removed_at"))

        def _parse_last_used_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        last_used_at = _parse_last_used_at(d.pop("last_used_at"))

        member = cls(
            id=id,
            name=name,
            role=role,
            email=email,
            issuer=issuer,
            subject=subject,
            agent_id=agent_id,
            user_id=user_id,
            created_at=created_at,
            removed_at=removed_at,
            last_used_at=last_used_at,
        )

        return member
