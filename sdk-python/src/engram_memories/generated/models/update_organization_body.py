# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..models.on_source_deleted import OnSourceDeleted, check_on_source_deleted

T = TypeVar("T", bound="UpdateOrganizationBody")


@_attrs_define
class UpdateOrganizationBody:
    on_source_deleted: OnSourceDeleted
    """ What happens to a memory when a message that it cites is deleted or its content is edited, in the same
    transaction. Each source of the memory has the new `state` in any case, and no longer has text that the message
    lost. `keep`: nothing else. `flag`: the version number of the memory and its `updated_at` change, and the event
    `memory.updated` is recorded; `listMemoryVersions` gets no item, because the content is the same. `delete`: the
    memory is deleted, with the event `memory.deleted`; after an edit only if the message no longer has the cited
    text, or was cited as a whole, and otherwise it is flagged. A memory under legal hold is flagged instead of
    deleted, and keeps its quotations until the hold is lifted. Default `flag`. """

    def to_dict(self) -> dict[str, Any]:
        on_source_deleted: str = self.on_source_deleted

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "on_source_deleted": on_source_deleted,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        on_source_deleted = check_on_source_deleted(d.pop("on_source_deleted"))

        update_organization_body = cls(
            on_source_deleted=on_source_deleted,
        )

        return update_organization_body
