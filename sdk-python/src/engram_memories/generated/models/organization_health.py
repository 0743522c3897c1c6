# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.organization_health_failure_type_1 import (
    OrganizationHealthFailureType1,
    check_organization_health_failure_type_1,
)
from ..models.organization_health_failure_type_2_type_1 import (
    OrganizationHealthFailureType2Type1,
    check_organization_health_failure_type_2_type_1,
)
from ..models.organization_health_failure_type_3_type_1 import (
    OrganizationHealthFailureType3Type1,
    check_organization_health_failure_type_3_type_1,
)
from ..models.place import Place, check_place

if TYPE_CHECKING:
    from ..models.organization_work_type_0 import OrganizationWorkType0


T = TypeVar("T", bound="OrganizationHealth")


@_attrs_define
class OrganizationHealth:
    """What an operator needs to know of the database of an organization."""

    organization_id: str
    """ Id of an organization, the tenant that owns keys, conversations and memories. """
    place: Place
    """ Where the data of the organization is. `d1`: in the database that all such organizations share. `cell`: in a
    database of its own, a Durable Object of Cloudflare, so that no other organization slows it down or fills it.
    """
    reachable: bool
    """ Whether the database of the organization responded. If it did not, the fields below are what its cell has
    last reported, or null. """
    failure: (
        None
        | OrganizationHealthFailureType1
        | OrganizationHealthFailureType2Type1
        | OrganizationHealthFailureType3Type1
    )
    """ Why it did not respond. `timeout`: not in time. `overloaded`: too many requests wait for it. `reset`: it was
    restarted, as deployments do; it responds again in a moment. `other`: an error, which the log has under the id
    of this request. Null if it responded. """
    migration: None | str
    """ Newest migration of its database. """
    size_bytes: int | None
    """ Size of its cell in bytes. Null in the shared database. """
    work: None | OrganizationWorkType0
    """ Work that is left for sweeps, the periodic runs in the background. """
    oldest_due_at: None | str
    """ Time at which the first of this work was or will be due. Long past, it says that sweeps do not keep up or
    fail. Null if no work is left. """
    next_sweep_at: None | str
    """ Time of the next sweep of its cell. Null while one runs, and in the shared database, which is swept each
    minute. """
    last_sweep_at: None | str
    """ Time of the last sweep of its cell that was reported. Null before the first one, and in the shared database.
    """

    def to_dict(self) -> dict[str, Any]:
        from ..models.organization_work_type_0 import OrganizationWorkType0  # noqa: PLC0415

        organization_id = self.organization_id

        place: str = self.place

        reachable = self.reachable

        failure: None | str
        if isinstance(self.failure, str):
            failure = self.failure
        elif isinstance(self.failure, str):
            failure = self.failure
        elif isinstance(self.failure, str):
            failure = self.failure
        else:
            failure = self.failure

        migration: None | str
        migration = self.migration

        size_bytes: int | None
        size_bytes = self.size_bytes

        work: dict[str, Any] | None
        if isinstance(self.work, OrganizationWorkType0):
            work = self.work.to_dict()
        else:
            work = self.work

        oldest_due_at: None | str
        oldest_due_at = self.oldest_due_at

        next_sweep_at: None | str
        next_sweep_at = self.next_sweep_at

        last_sweep_at: None | str
        last_sweep_at = self.last_sweep_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "organization_id": organization_id,
                "place": place,
                "reachable": reachable,
                "failure": failure,
                "migration": migration,
                "size_bytes": size_bytes,
                "work": work,
                "oldest_due_at": oldest_due_at,
                "next_sweep_at": next_sweep_at,
                "last_sweep_at": last_sweep_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.organization_work_type_0 import OrganizationWorkType0  # noqa: PLC0415

        d = dict(src_dict)
        organization_id = d.pop("organization_id")

        place = check_place(d.pop("place"))

        reachable = d.pop("reachable")

        def _parse_failure(
            data: object,
        ) -> (
            None
            | OrganizationHealthFailureType1
            | OrganizationHealthFailureType2Type1
            | OrganizationHealthFailureType3Type1
        ):
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                failure_type_1 = check_organization_health_failure_type_1(data)

                return failure_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                failure_type_2_type_1 = check_organization_health_failure_type_2_type_1(data)

                return failure_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                failure_type_3_type_1 = check_organization_health_failure_type_3_type_1(data)

                return failure_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                None
                | OrganizationHealthFailureType1
                | OrganizationHealthFailureType2Type1
                | OrganizationHealthFailureType3Type1,
                data,
            )

        failure = _parse_failure(d.pop("failure"))

        def _parse_migration(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        migration = _parse_migration(d.pop("migration"))

        def _parse_size_bytes(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        size_bytes = _parse_size_bytes(d.pop("size_bytes"))

        def _parse_work(data: object) -> None | OrganizationWorkType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_organization_work_type_0 = OrganizationWorkType0.from_dict(data)

                return componentsschemas_organization_work_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | OrganizationWorkType0, data)

        work = _parse_work(d.pop("work"))

        def _parse_oldest_due_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        oldest_due_at = _parse_oldest_due_at(d.pop("oldest_due_at"))

        def _parse_next_sweep_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        next_sweep_at = _parse_next_sweep_at(d.pop("next_sweep_at"))

        def _parse_last_sweep_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        last_sweep_at = _parse_last_sweep_at(d.pop("last_sweep_at"))

        organization_health = cls(
            organization_id=organization_id,
            place=place,
            reachable=reachable,
            failure=failure,
            migration=migration,
            size_bytes=size_bytes,
            work=work,
            oldest_due_at=oldest_due_at,
            next_sweep_at=next_sweep_at,
            last_sweep_at=last_sweep_at,
        )

        return organization_health
