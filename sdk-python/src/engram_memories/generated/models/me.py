# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.scope import Scope, check_scope

if TYPE_CHECKING:
    from ..models.member import Member


T = TypeVar("T", bound="Me")


@_attrs_define
class Me:
    """Who sends the request, and what it may do."""

    organization_id: str
    """ Id of an organization, the tenant that owns keys, conversations and memories. """
    key_id: str
    """ Id of the API key, or of the member, that did it. """
    grant_id: None | str
    """ Grant of the access token; null for a request with the key itself. """
    member: Member | None
    """ The member; null for a key. """
    scopes: list[Scope]
    """ What the request may do. """
    agent_id: None | str
    """ The only agent whose data is accessible; null for all agents. """
    user_id: None | str
    """ The only user whose data is accessible; null for all users. """
    expires_at: None | str
    """ Time from which the key or the access token is rejected; null if it does not expire. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.member import Member  # noqa: PLC0415

        organization_id = self.organization_id

        key_id = self.key_id

        grant_id: None | str
        grant_id = self.grant_id

        member: dict[str, Any] | None
        if isinstance(self.member, Member):
            member = self.member.to_dict()
        else:
            member = self.member

        scopes = []
        for scopes_item_data in self.scopes:
            scopes_item: str = scopes_item_data
            scopes.append(scopes_item)

        agent_id: None | str
        agent_id = self.agent_id

        user_id: None | str
        user_id = self.user_id

        expires_at: None | str
        expires_at = self.expires_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "organization_id": organization_id,
                "key_id": key_id,
                "grant_id": grant_id,
                "member": member,
                "scopes": scopes,
                "agent_id": agent_id,
                "user_id": user_id,
                "expires_at": expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.member import Member  # noqa: PLC0415

        d = dict(src_dict)
        organization_id = d.pop("organization_id")

        key_id = d.pop("key_id")

        def _parse_grant_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        grant_id = _parse_grant_id(d.pop("grant_id"))

        def _parse_member(data: object) -> Member | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                member_type_0 = Member.from_dict(data)

                return member_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Member | None, data)

        member = _parse_member(d.pop("member"))

        scopes = []
        _scopes = d.pop("scopes")
        for scopes_item_data in _scopes:
            scopes_item = check_scope(scopes_item_data)

            scopes.append(scopes_item)

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

        def _parse_expires_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        expires_at = _parse_expires_at(d.pop("expires_at"))

        me = cls(
            organization_id=organization_id,
            key_id=key_id,
            grant_id=grant_id,
            member=member,
            scopes=scopes,
            agent_id=agent_id,
            user_id=user_id,
            expires_at=expires_at,
        )

        return me
