# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.scope import Scope, check_scope

T = TypeVar("T", bound="ApiKeyWithSecret")


@_attrs_define
class ApiKeyWithSecret:
    """A key with its secret, which is shown only once."""

    id: str
    """ Id of an API key. It is not the key's secret, and cannot authenticate a request. """
    name: str
    """ Display name of the key. """
    prefix: str
    """ First characters of the secret, to recognize the key by. """
    scopes: list[Scope]
    """ Permissions of the key. """
    agent_id: None | str
    """ Agent that the key is bound to: the key can read and write only that agent's data. Null if it is not bound
    to one. """
    user_id: None | str
    """ User that the key is bound to: the key can write only that user's data, and read it and what is shared. Null
    if it is not bound to one. """
    created_at: str
    """ Time when the key was created. """
    expires_at: None | str
    """ Time from which the key is rejected; null if it does not expire. """
    revoked_at: None | str
    """ Time when the key was revoked; null if it was not. """
    last_used_at: None | str
    """ Time of the last request with the key, to the minute. It is written at most once a minute, so it lags by
    about a minute. Null before the first request. """
    rotated_to: None | str
    """ Id of the key that replaces this one; null if it was not rotated. """
    secret: str
    """ Secret that requests send as `Authorization: Bearer`: `engram_sk_live_`, followed by letters and digits.
    Shown only in this response; the service stores only a hash. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        prefix = self.prefix

        scopes = []
        for scopes_item_data in self.scopes:
            scopes_item: str = scopes_item_data
            scopes.append(scopes_item)

        agent_id: None | str
        agent_id = self.agent_id

        user_id: None | str
        user_id = self.user_id

        created_at = self.created_at

        expires_at: None | str
        expires_at = self.expires_at

        revoked_at: None | str
        revoked_at = self.revoked_at

        last_used_at: None | str
        last_used_at = self.last_used_at

        rotated_to: None | str
        rotated_to = self.rotated_to

        secret = self.secret

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "name": name,
                "prefix": prefix,
                "scopes": scopes,
                "agent_id": agent_id,
                "user_id": user_id,
                "created_at": created_at,
                "expires_at": expires_at,
                "revoked_at": revoked_at,
                "last_used_at": last_used_at,
                "rotated_to": rotated_to,
                "secret": secret,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        prefix = d.pop("prefix")

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

        created_at = d.pop("created_at")

        def _parse_expires_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        expires_at = _parse_expires_at(d.pop("expires_at"))

        def _parse_revoked_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        revoked_at = _parse_revoked_at(d.pop("revoked_at"))

        def _parse_last_used_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        last_used_at = _parse_last_used_at(d.pop("last_used_at"))

        def _parse_rotated_to(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        rotated_to = _parse_rotated_to(d.pop("rotated_to"))

        secret = d.pop("secret")

        api_key_with_secret = cls(
            id=id,
            name=name,
            prefix=prefix,
            scopes=scopes,
            agent_id=agent_id,
            user_id=user_id,
            created_at=created_at,
            expires_at=expires_at,
            revoked_at=revoked_at,
            last_used_at=last_used_at,
            rotated_to=rotated_to,
            secret=secret,
        )

        return api_key_with_secret
