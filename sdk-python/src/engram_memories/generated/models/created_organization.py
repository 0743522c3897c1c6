# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.api_key_with_secret import ApiKeyWithSecret
    from ..models.organization import Organization


T = TypeVar("T", bound="CreatedOrganization")


@_attrs_define
class CreatedOrganization:
    organization: Organization
    """ A tenant: the owner of keys, conversations and memories. """
    key: ApiKeyWithSecret
    """ A key with its secret, which is shown only once. """

    def to_dict(self) -> dict[str, Any]:
        organization = self.organization.to_dict()

        key = self.key.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "organization": organization,
                "key": key,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.api_key_with_secret import ApiKeyWithSecret  # noqa: PLC0415
        from ..models.organization import Organization  # noqa: PLC0415

        d = dict(src_dict)
        organization = Organization.from_dict(d.pop("organization"))

        key = ApiKeyWithSecret.from_dict(d.pop("key"))

        created_organization = cls(
            organization=organization,
            key=key,
        )

        return created_organization
