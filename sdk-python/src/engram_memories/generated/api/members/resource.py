# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.


from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.me import Me
from ...models.member import Member
from ...models.member_page import MemberPage
from ...models.role import Role
from ...models.sign_in_code import SignInCode
from ...types import UNSET, Unset
from . import create_member as _create_member
from . import create_member_sign_in_code as _create_member_sign_in_code
from . import delete_member as _delete_member
from . import get_me as _get_me
from . import get_member as _get_member
from . import list_members as _list_members
from . import update_member as _update_member


class MembersResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[Member, MemberPage]:
        """List members.

        Returns a page of the organization's members, newest first, including removed ones.

        Needs the scope `admin`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> MemberPage:
            return self._http.call(
                _list_members.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)

    def create(
        self,
        *,
        name: str,
        role: Role,
        email: str | None | Unset = UNSET,
        agent_id: str | None | Unset = UNSET,
        user_id: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Member:
        """Add a member.

        Adds a person to the organization. They have no password: they sign in with a code of
        `createMemberSignInCode`, or with an identity provider that proves `email`. Only keys and owners can add
        owners. Fails with 409 if a member has this email address.

        Needs the scope `admin`.

        Args:
            name: Name of the person.
            role: What a member may do. `reader`: read and search. `writer`: also write and delete. `admin`:
                everything that a key with the scope `admin` may do, except what is only for owners. `owner`:
                also manage owners, create keys with the scope `admin`, and delete the organization.
            email: Email address, compared and returned in lower case. An identity provider that proves it signs
                the member in.
            agent_id: Bind the member to one agent, as a key can be. Not for the roles `owner` and `admin`.
            user_id: Bind the member to one user, as a key can be. Not for the roles `owner` and `admin`.
        """
        return self._http.call(
            _create_member.request(
                name=name,
                role=role,
                email=email,
                agent_id=agent_id,
                user_id=user_id,
                idempotency_key=idempotency_key,
            )
        )

    def get(
        self,
        member_id: str,
    ) -> Member:
        """Get a member.

        Returns a member.

        Needs the scope `admin`.
        """
        return self._http.call(
            _get_member.request(
                member_id=member_id,
            )
        )

    def delete(
        self,
        member_id: str,
    ) -> Member:
        """Remove a member.

        Removes a member. Once this request returns, every request of the member and of the clients that they
        have connected fails with 401, and their sockets and streams end. Keys that the member has created stay:
        the audit events name them. Removing a member again has no effect. Only keys and owners can remove
        owners, and members cannot remove themselves.

        Needs the scope `admin`.
        """
        return self._http.call(
            _delete_member.request(
                member_id=member_id,
            )
        )

    def update(
        self,
        member_id: str,
        *,
        name: str | Unset = UNSET,
        role: Role | Unset = UNSET,
        email: str | None | Unset = UNSET,
    ) -> Member:
        """Update a member.

        Changes the fields that the body has. Another role counts from the next request on, also for the clients
        that the member has connected. Only keys and owners can change owners or make them, and members cannot
        change their own role. The agent and the user of a member cannot be changed: remove the member, and add
        them again.

        Needs the scope `admin`.

        Args:
            name: Name of the person.
            role: What a member may do. `reader`: read and search. `writer`: also write and delete. `admin`:
                everything that a key with the scope `admin` may do, except what is only for owners. `owner`:
                also manage owners, create keys with the scope `admin`, and delete the organization.
            email: Email address. Another one, or null, also ends the sign-in with the identity provider so far.
        """
        return self._http.call(
            _update_member.request(
                member_id=member_id,
                name=name,
                role=role,
                email=email,
            )
        )

    def create_sign_in_code(
        self,
        member_id: str,
    ) -> SignInCode:
        """Create a sign-in code for a member.

        Creates a code with which a member signs in, to the console or on the page that connects a client: the
        link is the URL of the service with `#/sign-in/` and the code. A code is used once, within seven days. A
        member has one code at most: another one replaces it. Only keys and owners can create one for an owner.

        Needs the scope `admin`.
        """
        return self._http.call(
            _create_member_sign_in_code.request(
                member_id=member_id,
            )
        )

    def me(
        self,
    ) -> Me:
        """Get who sends the request.

        Returns the key or the member that sends the request, and what it may do. Every key can do this.
        """
        return self._http.call(_get_me.request())


class AsyncMembersResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[Member, MemberPage]:
        """List members.

        Returns a page of the organization's members, newest first, including removed ones.

        Needs the scope `admin`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> MemberPage:
            return await self._http.call(
                _list_members.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def create(
        self,
        *,
        name: str,
        role: Role,
        email: str | None | Unset = UNSET,
        agent_id: str | None | Unset = UNSET,
        user_id: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Member:
        """Add a member.

        Adds a person to the organization. They have no password: they sign in with a code of
        `createMemberSignInCode`, or with an identity provider that proves `email`. Only keys and owners can add
        owners. Fails with 409 if a member has this email address.

        Needs the scope `admin`.

        Args:
            name: Name of the person.
            role: What a member may do. `reader`: read and search. `writer`: also write and delete. `admin`:
                everything that a key with the scope `admin` may do, except what is only for owners. `owner`:
                also manage owners, create keys with the scope `admin`, and delete the organization.
            email: Email address, compared and returned in lower case. An identity provider that proves it signs
                the member in.
            agent_id: Bind the member to one agent, as a key can be. Not for the roles `owner` and `admin`.
            user_id: Bind the member to one user, as a key can be. Not for the roles `owner` and `admin`.
        """
        return await self._http.call(
            _create_member.request(
                name=name,
                role=role,
                email=email,
                agent_id=agent_id,
                user_id=user_id,
                idempotency_key=idempotency_key,
            )
        )

    async def get(
        self,
        member_id: str,
    ) -> Member:
        """Get a member.

        Returns a member.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _get_member.request(
                member_id=member_id,
            )
        )

    async def delete(
        self,
        member_id: str,
    ) -> Member:
        """Remove a member.

        Removes a member. Once this request returns, every request of the member and of the clients that they
        have connected fails with 401, and their sockets and streams end. Keys that the member has created stay:
        the audit events name them. Removing a member again has no effect. Only keys and owners can remove
        owners, and members cannot remove themselves.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _delete_member.request(
                member_id=member_id,
            )
        )

    async def update(
        self,
        member_id: str,
        *,
        name: str | Unset = UNSET,
        role: Role | Unset = UNSET,
        email: str | None | Unset = UNSET,
    ) -> Member:
        """Update a member.

        Changes the fields that the body has. Another role counts from the next request on, also for the clients
        that the member has connected. Only keys and owners can change owners or make them, and members cannot
        change their own role. The agent and the user of a member cannot be changed: remove the member, and add
        them again.

        Needs the scope `admin`.

        Args:
            name: Name of the person.
            role: What a member may do. `reader`: read and search. `writer`: also write and delete. `admin`:
                everything that a key with the scope `admin` may do, except what is only for owners. `owner`:
                also manage owners, create keys with the scope `admin`, and delete the organization.
            email: Email address. Another one, or null, also ends the sign-in with the identity provider so far.
        """
        return await self._http.call(
            _update_member.request(
                member_id=member_id,
                name=name,
                role=role,
                email=email,
            )
        )

    async def create_sign_in_code(
        self,
        member_id: str,
    ) -> SignInCode:
        """Create a sign-in code for a member.

        Creates a code with which a member signs in, to the console or on the page that connects a client: the
        link is the URL of the service with `#/sign-in/` and the code. A code is used once, within seven days. A
        member has one code at most: another one replaces it. Only keys and owners can create one for an owner.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _create_member_sign_in_code.request(
                member_id=member_id,
            )
        )

    async def me(
        self,
    ) -> Me:
        """Get who sends the request.

        Returns the key or the member that sends the request, and what it may do. Every key can do this.
        """
        return await self._http.call(_get_me.request())
