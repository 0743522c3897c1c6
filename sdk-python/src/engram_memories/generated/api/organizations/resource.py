# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.


from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.created_organization import CreatedOrganization
from ...models.delete_organization_operation import DeleteOrganizationOperation
from ...models.jurisdiction_type_1 import JurisdictionType1
from ...models.jurisdiction_type_2_type_1 import JurisdictionType2Type1
from ...models.jurisdiction_type_3_type_1 import JurisdictionType3Type1
from ...models.list_organizations_order import ListOrganizationsOrder
from ...models.list_organizations_sort import ListOrganizationsSort
from ...models.listed_organization import ListedOrganization
from ...models.location_hint_type_1 import LocationHintType1
from ...models.location_hint_type_2_type_1 import LocationHintType2Type1
from ...models.location_hint_type_3_type_1 import LocationHintType3Type1
from ...models.move_organization_operation import MoveOrganizationOperation
from ...models.on_source_deleted import OnSourceDeleted
from ...models.organization import Organization
from ...models.organization_health import OrganizationHealth
from ...models.organization_page import OrganizationPage
from ...models.place import Place
from ...types import UNSET, Unset
from . import create_organization as _create_organization
from . import delete_organization as _delete_organization
from . import get_organization as _get_organization
from . import get_organization_health as _get_organization_health
from . import list_organizations as _list_organizations
from . import move_organization as _move_organization
from . import update_organization as _update_organization


class OrganizationsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        sort: ListOrganizationsSort | Unset = UNSET,
        order: ListOrganizationsOrder | Unset = UNSET,
    ) -> List[ListedOrganization, OrganizationPage]:
        """List organizations.

        Returns a page of all organizations, newest first unless `sort` and `order` say otherwise, with where
        they are, their sizes and their last activity. An organization whose value of `sort` changes between two
        of your requests for pages may be skipped or repeated. All others are returned exactly once. A deleted
        organization is listed until its last database row is removed. A page that is sorted by anything but
        `created_at` reads the rows of all organizations, so it takes longer the more there are. Requires the
        admin token of the service; if the service has none, the request fails with 404.

        Needs the admin token as `api_key`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
            sort: Field to sort by. Organizations with equal values are ordered by `created_at`, and null is
                less than any other value.
            order: Sort order.
        """

        def fetch(cursor: str | None) -> OrganizationPage:
            return self._http.call(
                _list_organizations.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                    sort=sort,
                    order=order,
                )
            )

        return List(fetch, cursor or None)

    def create(
        self,
        *,
        name: str,
        place: Place | Unset = UNSET,
        jurisdiction: None | JurisdictionType1 | JurisdictionType2Type1 | JurisdictionType3Type1 | Unset = UNSET,
        location: None | LocationHintType1 | LocationHintType2Type1 | LocationHintType3Type1 | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> CreatedOrganization:
        """Create an organization.

        Creates an organization and its first key, which has every scope, in the shared database or in one of
        its own. Requires the admin token of the service; if the service has none, the request fails with 404.
        The secret of the key is shown only in this response. A repeat with the same idempotency key therefore
        fails with 409, whose `detail` names the id of the organization.

        Needs the admin token as `api_key`.

        Args:
            name: Display name of the organization.
            place: Where the data of the organization is. `d1`: in the database that all such organizations
                share. `cell`: in a database of its own, a Durable Object of Cloudflare, so that no other
                organization slows it down or fills it.
            jurisdiction: Jurisdiction in which the cell of the organization, and the object that sends its
                events, run and store data, as Cloudflare guarantees. `eu`: the European Union. `fedramp`: data
                centers that comply with FedRAMP.
            location: Region near which the cell of the organization was to be created: a hint to Cloudflare,
                and no guarantee. Western and eastern North America, South America, western and eastern Europe,
                Asia-Pacific, Oceania, Africa, the Middle East.
        """
        return self._http.call(
            _create_organization.request(
                name=name,
                place=place,
                jurisdiction=jurisdiction,
                location=location,
                idempotency_key=idempotency_key,
            )
        )

    def get(
        self,
        organization_id: str,
    ) -> Organization:
        """Get an organization.

        Returns the organization that the key belongs to. With the admin token of the service, returns any
        organization, also a deleted one until its last database row is removed.

        Needs the scope `read`, or the admin token as `api_key`.
        """
        return self._http.call(
            _get_organization.request(
                organization_id=organization_id,
            )
        )

    def delete(
        self,
        organization_id: str,
        *,
        force: bool | Unset = UNSET,
    ) -> DeleteOrganizationOperation:
        """Delete an organization.

        Deletes an organization: its keys are revoked and its data is excluded from every response at once.
        Requires the admin token of the service, or a key of the organization with the scope `admin`. Rows,
        keyword index entries and vectors are then removed for good in the background, in steps of 1,000
        conversations or memories. The first step begins within a minute, or later if other deletions are
        waiting. With the admin token, `cancelOperation` can restore everything whose removal has not begun.
        Other data cannot be restored. While a legal hold is active, the request fails with 409 `held`, unless
        the holder of the admin token sends `force`.

        Needs the scope `admin`, or the admin token as `api_key`.

        Args:
            force: Whether to delete the organization although it has active legal holds, which are then lifted.
                Only with the admin token; a key gets 403. It is recorded as an audit event, and the operation
                names the holds. Default `false`.
        """
        return self._http.call(
            _delete_organization.request(
                organization_id=organization_id,
                force=force,
            )
        )

    def update(
        self,
        organization_id: str,
        *,
        on_source_deleted: OnSourceDeleted,
    ) -> Organization:
        """Update the settings of an organization.

        Changes the settings of the organization that the key belongs to. They hold from the next request on;
        nothing that was deleted or flagged before changes. The change is recorded as an audit event.

        Needs the scope `admin`.

        Args:
            on_source_deleted: What happens to a memory when a message that it cites is deleted or its content
                is edited, in the same transaction. Each source of the memory has the new `state` in any case,
                and no longer has text that the message lost. `keep`: nothing else. `flag`: the version number
                of the memory and its `updated_at` change, and the event `memory.updated` is recorded;
                `listMemoryVersions` gets no item, because the content is the same. `delete`: the memory is
                deleted, with the event `memory.deleted`; after an edit only if the message no longer has the
                cited text, or was cited as a whole, and otherwise it is flagged. A memory under legal hold is
                flagged instead of deleted, and keeps its quotations until the hold is lifted. Default `flag`.
        """
        return self._http.call(
            _update_organization.request(
                organization_id=organization_id,
                on_source_deleted=on_source_deleted,
            )
        )

    def health(
        self,
        organization_id: str,
    ) -> OrganizationHealth:
        """Get the health of an organization.

        Returns whether the database of an organization responds, its size, the work that is left for it, and
        its sweeps, also for one that is deleted and not removed yet. A cell that does not respond is reported,
        and is no error. Requires the admin token of the service; if the service has none, the request fails
        with 404.

        Needs the admin token as `api_key`.
        """
        return self._http.call(
            _get_organization_health.request(
                organization_id=organization_id,
            )
        )

    def move(
        self,
        organization_id: str,
        *,
        place: Place,
    ) -> MoveOrganizationOperation:
        """Move an organization.

        Moves an organization from the shared database to one of its own, or back. Requires the admin token of
        the service. The organization can be used meanwhile. Its rows are copied first, which takes at least a
        minute. Then writes wait for up to two seconds; those that wait longer fail with 503 and can be sent
        again. All ids, times and events stay as they are. Old rows are removed a minute after the move.
        `cancelOperation` cancels the move until the organization has moved. If it moves to the same place
        already, returns that operation. An organization with an active legal hold is not moved: the request
        fails with 409 `held`, and a hold that is created during the move cancels it.

        Needs the admin token as `api_key`.

        Args:
            place: Where the data of the organization is. `d1`: in the database that all such organizations
                share. `cell`: in a database of its own, a Durable Object of Cloudflare, so that no other
                organization slows it down or fills it.
        """
        return self._http.call(
            _move_organization.request(
                organization_id=organization_id,
                place=place,
            )
        )


class AsyncOrganizationsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        sort: ListOrganizationsSort | Unset = UNSET,
        order: ListOrganizationsOrder | Unset = UNSET,
    ) -> AsyncList[ListedOrganization, OrganizationPage]:
        """List organizations.

        Returns a page of all organizations, newest first unless `sort` and `order` say otherwise, with where
        they are, their sizes and their last activity. An organization whose value of `sort` changes between two
        of your requests for pages may be skipped or repeated. All others are returned exactly once. A deleted
        organization is listed until its last database row is removed. A page that is sorted by anything but
        `created_at` reads the rows of all organizations, so it takes longer the more there are. Requires the
        admin token of the service; if the service has none, the request fails with 404.

        Needs the admin token as `api_key`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
            sort: Field to sort by. Organizations with equal values are ordered by `created_at`, and null is
                less than any other value.
            order: Sort order.
        """

        async def fetch(cursor: str | None) -> OrganizationPage:
            return await self._http.call(
                _list_organizations.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                    sort=sort,
                    order=order,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def create(
        self,
        *,
        name: str,
        place: Place | Unset = UNSET,
        jurisdiction: None | JurisdictionType1 | JurisdictionType2Type1 | JurisdictionType3Type1 | Unset = UNSET,
        location: None | LocationHintType1 | LocationHintType2Type1 | LocationHintType3Type1 | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> CreatedOrganization:
        """Create an organization.

        Creates an organization and its first key, which has every scope, in the shared database or in one of
        its own. Requires the admin token of the service; if the service has none, the request fails with 404.
        The secret of the key is shown only in this response. A repeat with the same idempotency key therefore
        fails with 409, whose `detail` names the id of the organization.

        Needs the admin token as `api_key`.

        Args:
            name: Display name of the organization.
            place: Where the data of the organization is. `d1`: in the database that all such organizations
                share. `cell`: in a database of its own, a Durable Object of Cloudflare, so that no other
                organization slows it down or fills it.
            jurisdiction: Jurisdiction in which the cell of the organization, and the object that sends its
                events, run and store data, as Cloudflare guarantees. `eu`: the European Union. `fedramp`: data
                centers that comply with FedRAMP.
            location: Region near which the cell of the organization was to be created: a hint to Cloudflare,
                and no guarantee. Western and eastern North America, South America, western and eastern Europe,
                Asia-Pacific, Oceania, Africa, the Middle East.
        """
        return await self._http.call(
            _create_organization.request(
                name=name,
                place=place,
                jurisdiction=jurisdiction,
                location=location,
                idempotency_key=idempotency_key,
            )
        )

    async def get(
        self,
        organization_id: str,
    ) -> Organization:
        """Get an organization.

        Returns the organization that the key belongs to. With the admin token of the service, returns any
        organization, also a deleted one until its last database row is removed.

        Needs the scope `read`, or the admin token as `api_key`.
        """
        return await self._http.call(
            _get_organization.request(
                organization_id=organization_id,
            )
        )

    async def delete(
        self,
        organization_id: str,
        *,
        force: bool | Unset = UNSET,
    ) -> DeleteOrganizationOperation:
        """Delete an organization.

        Deletes an organization: its keys are revoked and its data is excluded from every response at once.
        Requires the admin token of the service, or a key of the organization with the scope `admin`. Rows,
        keyword index entries and vectors are then removed for good in the background, in steps of 1,000
        conversations or memories. The first step begins within a minute, or later if other deletions are
        waiting. With the admin token, `cancelOperation` can restore everything whose removal has not begun.
        Other data cannot be restored. While a legal hold is active, the request fails with 409 `held`, unless
        the holder of the admin token sends `force`.

        Needs the scope `admin`, or the admin token as `api_key`.

        Args:
            force: Whether to delete the organization although it has active legal holds, which are then lifted.
                Only with the admin token; a key gets 403. It is recorded as an audit event, and the operation
                names the holds. Default `false`.
        """
        return await self._http.call(
            _delete_organization.request(
                organization_id=organization_id,
                force=force,
            )
        )

    async def update(
        self,
        organization_id: str,
        *,
        on_source_deleted: OnSourceDeleted,
    ) -> Organization:
        """Update the settings of an organization.

        Changes the settings of the organization that the key belongs to. They hold from the next request on;
        nothing that was deleted or flagged before changes. The change is recorded as an audit event.

        Needs the scope `admin`.

        Args:
            on_source_deleted: What happens to a memory when a message that it cites is deleted or its content
                is edited, in the same transaction. Each source of the memory has the new `state` in any case,
                and no longer has text that the message lost. `keep`: nothing else. `flag`: the version number
                of the memory and its `updated_at` change, and the event `memory.updated` is recorded;
                `listMemoryVersions` gets no item, because the content is the same. `delete`: the memory is
                deleted, with the event `memory.deleted`; after an edit only if the message no longer has the
                cited text, or was cited as a whole, and otherwise it is flagged. A memory under legal hold is
                flagged instead of deleted, and keeps its quotations until the hold is lifted. Default `flag`.
        """
        return await self._http.call(
            _update_organization.request(
                organization_id=organization_id,
                on_source_deleted=on_source_deleted,
            )
        )

    async def health(
        self,
        organization_id: str,
    ) -> OrganizationHealth:
        """Get the health of an organization.

        Returns whether the database of an organization responds, its size, the work that is left for it, and
        its sweeps, also for one that is deleted and not removed yet. A cell that does not respond is reported,
        and is no error. Requires the admin token of the service; if the service has none, the request fails
        with 404.

        Needs the admin token as `api_key`.
        """
        return await self._http.call(
            _get_organization_health.request(
                organization_id=organization_id,
            )
        )

    async def move(
        self,
        organization_id: str,
        *,
        place: Place,
    ) -> MoveOrganizationOperation:
        """Move an organization.

        Moves an organization from the shared database to one of its own, or back. Requires the admin token of
        the service. The organization can be used meanwhile. Its rows are copied first, which takes at least a
        minute. Then writes wait for up to two seconds; those that wait longer fail with 503 and can be sent
        again. All ids, times and events stay as they are. Old rows are removed a minute after the move.
        `cancelOperation` cancels the move until the organization has moved. If it moves to the same place
        already, returns that operation. An organization with an active legal hold is not moved: the request
        fails with 409 `held`, and a hold that is created during the move cancels it.

        Needs the admin token as `api_key`.

        Args:
            place: Where the data of the organization is. `d1`: in the database that all such organizations
                share. `cell`: in a database of its own, a Durable Object of Cloudflare, so that no other
                organization slows it down or fills it.
        """
        return await self._http.call(
            _move_organization.request(
                organization_id=organization_id,
                place=place,
            )
        )
