# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.scope import Scope, check_scope

T = TypeVar("T", bound="Grant")


@_attrs_define
class Grant:
    """What a client may do with a key, as a person has allowed over OAuth."""

    id: str
    """ Id of a grant. """
    key_id: str
    """ Key or member that it was given with. The grant ends when the key is not active any more, or the member is
    removed. """
    client_id: str
    """ OAuth id of the client: the URL of its metadata document, or a text that the service or the operator gave
    it. """
    client_name: str
    """ Name that the client gives itself. Nothing proves it. """
    client_domain: None | str
    """ Host of the client's metadata document, which proves whose client it is. Null if the client registered
    itself or was registered by the operator. """
    redirect_uri: str
    """ URL to which the client's user was sent with the authorization code. """
    scopes: list[Scope]
    """ Scopes that were allowed. Those that the key or the member lacks do not count. `admin` is only for the
    console of the service itself. """
    agent_id: None | str
    """ Agent that the grant is bound to, besides that of its key. Null if it is not bound to one. """
    user_id: None | str
    """ User that the grant is bound to, besides that of its key. Null if it is not bound to one. """
    created_at: str
    """ Time when it was given. """
    expires_at: str
    """ Time from which the grant is rejected: 30 days after the client last refreshed its token. Ten minutes after
    it was given, if the client has not redeemed its code yet. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        key_id = self.key_id

        client_id = self.client_id

        client_name = self.client_name

        client_domain: None | str
        client_domain = self.client_domain

        redirect_uri = self.redirect_uri

        scopes = []
        for scopes_item_data in self.scopes:
            scopes_item: str = scopes_item_data
            scopes.append(scopes_item)

        agent_id: None | str
        agent_id = self.agent_id

        user_id: None | str
        user_id = self.user_id

        created_at = self.created_at

        expires_at = self.expires_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "key_id": key_id,
                "client_id": client_id,
                "client_name": client_name,
                "client_domain": client_domain,
                "redirect_uri": redirect_uri,
                "scopes": scopes,
                "agent_id": agent_id,
                "user_id": user_id,
                "created_at": created_at,
                "expires_at": expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        key_id = d.pop("key_id")

        client_id = d.pop("client_id")

        client_name = d.pop("client_name")

        def _parse_client_domain(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        client_domain = _parse_client_domain(d.pop("client_domain"))

        redirect_uri = d.pop("redirect_uri")

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

        expires_at = d.pop("expires_at")

        grant = cls(
            id=id,
            key_id=key_id,
            client_id=client_id,
            client_name=client_name,
            client_domain=client_domain,
            redirect_uri=redirect_uri,
            scopes=scopes,
            agent_id=agent_id,
            user_id=user_id,
            created_at=created_at,
            expires_at=expires_at,
        )

        return grant
