# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="DeleteOrganizationOperationArchivesItem")


@_attrs_define
class DeleteOrganizationOperationArchivesItem:
    id: str
    """ Id of the archive. """
    expires_at: None | str
    """ Time from which the archive is deleted; null if it is kept. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        expires_at: None | str
        expires_at = self.expires_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "expires_at": expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        def _parse_expires_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        expires_at = _parse_expires_at(d.pop("expires_at"))

        delete_organization_operation_archives_item = cls(
            id=id,
            expires_at=expires_at,
        )

        return delete_organization_operation_archives_item
