# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence

from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.api_key import ApiKey
from ...models.api_key_page import ApiKeyPage
from ...models.api_key_with_secret import ApiKeyWithSecret
from ...models.scope import Scope
from ...types import UNSET, Unset
from . import create_key as _create_key
from . import get_key as _get_key
from . import list_keys as _list_keys
from . import revoke_key as _revoke_key
from . import rotate_key as _rotate_key


class KeysResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[ApiKey, ApiKeyPage]:
        """List keys.

        Returns a page of the organization's keys, newest first, including revoked and expired ones. Never
        returns secrets.

        Needs the scope `admin`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> ApiKeyPage:
            return self._http.call(
                _list_keys.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)

    def create(
        self,
        *,
        name: str,
        scopes: Sequence[Scope],
        agent_id: str | None | Unset = UNSET,
        user_id: str | None | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiKeyWithSecret:
        """Create a key.

        Creates a key for the organization of the calling key. It can have only scopes that the calling key has.
        The secret is shown only in this response, so a repeat with the same idempotency key fails with 409,
        whose `detail` names the id of the key.

        Needs the scope `admin`.

        Args:
            name: Display name of the key.
            scopes: Permissions of the key.
            agent_id: Bind the key to one agent: it can read and write only that agent's conversations and
                memories. Cannot be combined with the scope `admin`.
            user_id: Bind the key to one user: it can write only that user's conversations and memories, and
                read them and shared ones. With `agent_id`, only those of both. Cannot be combined with the
                scope `admin`.
            expires_at: Time from which the key is rejected. Default: null, the key does not expire.
        """
        return self._http.call(
            _create_key.request(
                name=name,
                scopes=scopes,
                agent_id=agent_id,
                user_id=user_id,
                expires_at=expires_at,
                idempotency_key=idempotency_key,
            )
        )

    def get(
        self,
        key_id: str,
    ) -> ApiKey:
        """Get a key.

        Returns a key, without its secret.

        Needs the scope `admin`.
        """
        return self._http.call(
            _get_key.request(
                key_id=key_id,
            )
        )

    def revoke(
        self,
        key_id: str,
    ) -> ApiKey:
        """Revoke a key.

        Revokes a key. Once this request returns, every request with the revoked key fails with 401. Revoking it
        again has no effect. A key may revoke itself.

        Needs the scope `admin`.
        """
        return self._http.call(
            _revoke_key.request(
                key_id=key_id,
            )
        )

    def rotate(
        self,
        key_id: str,
        *,
        overlap_seconds: int | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiKeyWithSecret:
        """Rotate a key.

        Creates another key, with an id of its own and the same name, scopes, agent and user, to replace the old
        one, which expires after `overlap_seconds`. The secret of the new key is shown only in this response. A
        key that is revoked, expired or already rotated cannot be rotated: the request fails with 404.

        Needs the scope `admin`.

        Args:
            overlap_seconds: Number of seconds for which the old key stays valid; 0 ends it at once. At most
                2,592,000 (30 days); default 3,600. An earlier `expires_at` of the old key still applies.
            expires_at: Time from which the new key is rejected. Default: null, the key does not expire.
        """
        return self._http.call(
            _rotate_key.request(
                key_id=key_id,
                overlap_seconds=overlap_seconds,
                expires_at=expires_at,
                idempotency_key=idempotency_key,
            )
        )


class AsyncKeysResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[ApiKey, ApiKeyPage]:
        """List keys.

        Returns a page of the organization's keys, newest first, including revoked and expired ones. Never
        returns secrets.

        Needs the scope `admin`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> ApiKeyPage:
            return await self._http.call(
                _list_keys.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def create(
        self,
        *,
        name: str,
        scopes: Sequence[Scope],
        agent_id: str | None | Unset = UNSET,
        user_id: str | None | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiKeyWithSecret:
        """Create a key.

        Creates a key for the organization of the calling key. It can have only scopes that the calling key has.
        The secret is shown only in this response, so a repeat with the same idempotency key fails with 409,
        whose `detail` names the id of the key.

        Needs the scope `admin`.

        Args:
            name: Display name of the key.
            scopes: Permissions of the key.
            agent_id: Bind the key to one agent: it can read and write only that agent's conversations and
                memories. Cannot be combined with the scope `admin`.
            user_id: Bind the key to one user: it can write only that user's conversations and memories, and
                read them and shared ones. With `agent_id`, only those of both. Cannot be combined with the
                scope `admin`.
            expires_at: Time from which the key is rejected. Default: null, the key does not expire.
        """
        return await self._http.call(
            _create_key.request(
                name=name,
                scopes=scopes,
                agent_id=agent_id,
                user_id=user_id,
                expires_at=expires_at,
                idempotency_key=idempotency_key,
            )
        )

    async def get(
        self,
        key_id: str,
    ) -> ApiKey:
        """Get a key.

        Returns a key, without its secret.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _get_key.request(
                key_id=key_id,
            )
        )

    async def revoke(
        self,
        key_id: str,
    ) -> ApiKey:
        """Revoke a key.

        Revokes a key. Once this request returns, every request with the revoked key fails with 401. Revoking it
        again has no effect. A key may revoke itself.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _revoke_key.request(
                key_id=key_id,
            )
        )

    async def rotate(
        self,
        key_id: str,
        *,
        overlap_seconds: int | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiKeyWithSecret:
        """Rotate a key.

        Creates another key, with an id of its own and the same name, scopes, agent and user, to replace the old
        one, which expires after `overlap_seconds`. The secret of the new key is shown only in this response. A
        key that is revoked, expired or already rotated cannot be rotated: the request fails with 404.

        Needs the scope `admin`.

        Args:
            overlap_seconds: Number of seconds for which the old key stays valid; 0 ends it at once. At most
                2,592,000 (30 days); default 3,600. An earlier `expires_at` of the old key still applies.
            expires_at: Time from which the new key is rejected. Default: null, the key does not expire.
        """
        return await self._http.call(
            _rotate_key.request(
                key_id=key_id,
                overlap_seconds=overlap_seconds,
                expires_at=expires_at,
                idempotency_key=idempotency_key,
            )
        )
