# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.archive_counts import ArchiveCounts


T = TypeVar("T", bound="Archive")


@_attrs_define
class Archive:
    """A copy of all conversations and memories of the organization, in an object store apart from the database. It
    outlives what is deleted later.

    """

    id: str
    """ Id of an archive. """
    operation_id: str
    """ Id of the operation that writes the archive. """
    created_at: str
    """ Time when the archive was begun. It has everything that was stored by then and not deleted before the
    archive reached it. """
    completed_at: None | str
    """ Time when the archive was complete; null while it is written. """
    expires_at: None | str
    """ Time from which the archive is deleted; null if it is kept until you delete it. """
    schema_version: int
    """ Version of the format of the lines. """
    counts: ArchiveCounts
    """ Lines of each type. """
    part_count: int
    """ Number of parts written so far. """
    bytes: int
    """ Size of the parts in bytes, as lines. """
    stored_bytes: int
    """ Size of the parts in bytes, as they are stored: compressed with gzip. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        operation_id = self.operation_id

        created_at = self.created_at

        completed_at: None | str
        completed_at = self.completed_at

        expires_at: None | str
        expires_at = self.expires_at

        schema_version = self.schema_version

        counts = self.counts.to_dict()

        part_count = self.part_count

        bytes = self.bytes

        stored_bytes = self.stored_bytes

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "operation_id": operation_id,
                "created_at": created_at,
                "completed_at": completed_at,
                "expires_at": expires_at,
                "schema_version": schema_version,
                "counts": counts,
                "part_count": part_count,
                "bytes": bytes,
                "stored_bytes": stored_bytes,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.archive_counts import ArchiveCounts  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        operation_id = d.pop("operation_id")

        created_at = d.pop("created_at")

        def _parse_completed_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        completed_at = _parse_completed_at(d.pop("completed_at"))

        def _parse_expires_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        expires_at = _parse_expires_at(d.pop("expires_at"))

        schema_version = d.pop("schema_version")

        counts = ArchiveCounts.from_dict(d.pop("counts"))

        part_count = d.pop("part_count")

        bytes = d.pop("bytes")

        stored_bytes = d.pop("stored_bytes")

        archive = cls(
            id=id,
            operation_id=operation_id,
            created_at=created_at,
            completed_at=completed_at,
            expires_at=expires_at,
            schema_version=schema_version,
            counts=counts,
            part_count=part_count,
            bytes=bytes,
            stored_bytes=stored_bytes,
        )

        return archive
