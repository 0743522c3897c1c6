# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.jurisdiction_type_1 import JurisdictionType1, check_jurisdiction_type_1
from ..models.jurisdiction_type_2_type_1 import JurisdictionType2Type1, check_jurisdiction_type_2_type_1
from ..models.jurisdiction_type_3_type_1 import JurisdictionType3Type1, check_jurisdiction_type_3_type_1
from ..models.location_hint_type_1 import LocationHintType1, check_location_hint_type_1
from ..models.location_hint_type_2_type_1 import LocationHintType2Type1, check_location_hint_type_2_type_1
from ..models.location_hint_type_3_type_1 import LocationHintType3Type1, check_location_hint_type_3_type_1
from ..models.place import Place, check_place
from ..types import UNSET, Unset

T = TypeVar("T", bound="CreateOrganizationBody")


@_attrs_define
class CreateOrganizationBody:
    name: str
    """ Display name of the organization. """
    place: Place | Unset = UNSET
    """ Where the data of the organization is. `d1`: in the database that all such organizations share. `cell`: in a
    database of its own, a Durable Object of Cloudflare, so that no other organization slows it down or fills it.
    """
    jurisdiction: JurisdictionType1 | JurisdictionType2Type1 | JurisdictionType3Type1 | None | Unset = UNSET
    """ Jurisdiction in which the cell of the organization, and the object that sends its events, run and store
    data, as Cloudflare guarantees. `eu`: the European Union. `fedramp`: data centers that comply with FedRAMP. """
    location: LocationHintType1 | LocationHintType2Type1 | LocationHintType3Type1 | None | Unset = UNSET
    """ Region near which the cell of the organization was to be created: a hint to Cloudflare, and no guarantee.
    Western and eastern North America, South America, western and eastern Europe, Asia-Pacific, Oceania, Africa, the
    Middle East. """

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        place: str | Unset = UNSET
        if not isinstance(self.place, Unset):
            place = self.place

        jurisdiction: None | str | Unset
        if isinstance(self.jurisdiction, Unset):
            jurisdiction = UNSET
        elif isinstance(self.jurisdiction, str):
            jurisdiction = self.jurisdiction
        elif isinstance(self.jurisdiction, str):
            jurisdiction = self.jurisdiction
        elif isinstance(self.jurisdiction, str):
            jurisdiction = self.jurisdiction
        else:
            jurisdiction = self.jurisdiction

        location: None | str | Unset
        if isinstance(self.location, Unset):
            location = UNSET
        elif isinstance(self.location, str):
            location = self.location
        elif isinstance(self.location, str):
            location = self.location
        elif isinstance(self.location, str):
            location = self.location
        else:
            location = self.location

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
            }
        )
        if place is not UNSET:
            field_dict["place"] = place
        if jurisdiction is not UNSET:
            field_dict["jurisdiction"] = jurisdiction
        if location is not UNSET:
            field_dict["location"] = location

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name")

        _place = d.pop("place", UNSET)
        place: Place | Unset
        if isinstance(_place, Unset):
            place = UNSET
        else:
            place = check_place(_place)

        def _parse_jurisdiction(
            data: object,
        ) -> JurisdictionType1 | JurisdictionType2Type1 | JurisdictionType3Type1 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                componentsschemas_jurisdiction_type_1 = check_jurisdiction_type_1(data)

                return componentsschemas_jurisdiction_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                componentsschemas_jurisdiction_type_2_type_1 = check_jurisdiction_type_2_type_1(data)

                return componentsschemas_jurisdiction_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                componentsschemas_jurisdiction_type_3_type_1 = check_jurisdiction_type_3_type_1(data)

                return componentsschemas_jurisdiction_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(JurisdictionType1 | JurisdictionType2Type1 | JurisdictionType3Type1 | None | Unset, data)

        jurisdiction = _parse_jurisdiction(d.pop("jurisdiction", UNSET))

        def _parse_location(
            data: object,
        ) -> LocationHintType1 | LocationHintType2Type1 | LocationHintType3Type1 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                componentsschemas_location_hint_type_1 = check_location_hint_type_1(data)

                return componentsschemas_location_hint_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                componentsschemas_location_hint_type_2_type_1 = check_location_hint_type_2_type_1(data)

                return componentsschemas_location_hint_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                componentsschemas_location_hint_type_3_type_1 = check_location_hint_type_3_type_1(data)

                return componentsschemas_location_hint_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(LocationHintType1 | LocationHintType2Type1 | LocationHintType3Type1 | None | Unset, data)

        location = _parse_location(d.pop("location", UNSET))

        create_organization_body = cls(
            name=name,
            place=place,
            jurisdiction=jurisdiction,
            location=location,
        )

        return create_organization_body
