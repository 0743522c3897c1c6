# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.create_webhook_body_types_type_0_item import (
    CreateWebhookBodyTypesType0Item,
    check_create_webhook_body_types_type_0_item,
)
from ..types import UNSET, Unset

T = TypeVar("T", bound="CreateWebhookBody")


@_attrs_define
class CreateWebhookBody:
    url: str
    """ URL that events are sent to: `https`, with a public host name, and the port 443 or 8443. Addresses and
    internal names are refused. Hosts that the operator allows may be internal, and have any port and `http`. """
    types: list[CreateWebhookBodyTypesType0Item] | None | Unset = UNSET
    """ Types of events to send; null for all. """
    enabled: bool | Unset = UNSET
    """ Whether events are sent. Default `true`. """
    after: int | Literal["now"] | Unset = UNSET
    """ Sequence after which events are sent: a number of the past to send earlier ones too. Default `now`. """

    def to_dict(self) -> dict[str, Any]:
        url = self.url

        types: list[str] | None | Unset
        if isinstance(self.types, Unset):
            types = UNSET
        elif isinstance(self.types, list):
            types = []
            for types_type_0_item_data in self.types:
                types_type_0_item: str = types_type_0_item_data
                types.append(types_type_0_item)

        else:
            types = self.types

        enabled = self.enabled

        after: int | Literal["now"] | Unset
        if isinstance(self.after, Unset):
            after = UNSET
        else:
            after = self.after

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "url": url,
            }
        )
        if types is not UNSET:
            field_dict["types"] = types
        if enabled is not UNSET:
            field_dict["enabled"] = enabled
        if after is not UNSET:
            field_dict["after"] = after

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        url = d.pop("url")

        def _parse_types(data: object) -> list[CreateWebhookBodyTypesType0Item] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                types_type_0 = []
                _types_type_0 = data
                for types_type_0_item_data in _types_type_0:
                    types_type_0_item = check_create_webhook_body_types_type_0_item(types_type_0_item_data)

                    types_type_0.append(types_type_0_item)

                return types_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[CreateWebhookBodyTypesType0Item] | None | Unset, data)

        types = _parse_types(d.pop("types", UNSET))

        enabled = d.pop("enabled", UNSET)

        def _parse_after(data: object) -> int | Literal["now"] | Unset:
            if isinstance(data, Unset):
                return data
            after_type_0 = cast(Literal["now"], data)
            if after_type_0 != "now":
                raise ValueError(f"after_type_0 must match const 'now', got '{after_type_0}'")
            return after_type_0
            return cast(int | Literal["now"] | Unset, data)

        after = _parse_after(d.pop("after", UNSET))

        create_webhook_body = cls(
            url=url,
            types=types,
            enabled=enabled,
            after=after,
        )

        return create_webhook_body
