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
from ..models.on_source_deleted import OnSourceDeleted, check_on_source_deleted
from ..models.place import Place, check_place

T = TypeVar("T", bound="ListedOrganization")


@_attrs_define
class ListedOrganization:
    """An organization with its size and its last activity."""

    id: str
    """ Id of an organization, the tenant that owns keys, conversations and memories. """
    name: str
    """ Display name of the organization. """
    on_source_deleted: OnSourceDeleted
    """ What happens to a memory when a message that it cites is deleted or its content is edited, in the same
    transaction. Each source of the memory has the new `state` in any case, and no longer has text that the message
    lost. `keep`: nothing else. `flag`: the version number of the memory and its `updated_at` change, and the event
    `memory.updated` is recorded; `listMemoryVersions` gets no item, because the content is the same. `delete`: the
    memory is deleted, with the event `memory.deleted`; after an edit only if the message no longer has the cited
    text, or was cited as a whole, and otherwise it is flagged. A memory under legal hold is flagged instead of
    deleted, and keeps its quotations until the hold is lifted. Default `flag`. """
    place: Place
    """ Where the data of the organization is. `d1`: in the database that all such organizations share. `cell`: in a
    database of its own, a Durable Object of Cloudflare, so that no other organization slows it down or fills it.
    """
    jurisdiction: JurisdictionType1 | JurisdictionType2Type1 | JurisdictionType3Type1 | None
    """ Jurisdiction in which the cell of the organization, and the object that sends its events, run and store
    data, as Cloudflare guarantees. `eu`: the European Union. `fedramp`: data centers that comply with FedRAMP. """
    location: LocationHintType1 | LocationHintType2Type1 | LocationHintType3Type1 | None
    """ Region near which the cell of the organization was to be created: a hint to Cloudflare, and no guarantee.
    Western and eastern North America, South America, western and eastern Europe, Asia-Pacific, Oceania, Africa, the
    Middle East. """
    conversation_count: int
    """ Number of conversations, not counting memories. """
    message_count: int
    """ Number of messages in these conversations. """
    created_at: str
    """ Time when the organization was created. """
    deleted_at: None | str
    """ Time when the organization was deleted; null if it is not deleted. Its data is removed for good afterwards.
    """
    memory_count: int
    """ Number of memories. """
    size_bytes: int | None
    """ Size of the cell of the organization in bytes, with its indexes, as its last sweep has reported it: after a
    write within some minutes, otherwise once a day. Null in the shared database, which does not count it by
    organization, and before the first report. """
    last_active_on: None | str
    """ Last day, in UTC, that the usage of the organization has. It is counted about a minute after a request. Null
    if there is none. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        on_source_deleted: str = self.on_source_deleted

        place: str = self.place

        jurisdiction: None | str
        if isinstance(self.jurisdiction, str):
            jurisdiction = self.jurisdiction
        elif isinstance(self.jurisdiction, str):
            jurisdiction = self.jurisdiction
        elif isinstance(self.jurisdiction, str):
            jurisdiction = self.jurisdiction
        else:
            jurisdiction = self.jurisdiction

        location: None | str
        if isinstance(self.location, str):
            location = self.location
        elif isinstance(self.location, str):
            location = self.location
        elif isinstance(self.location, str):
            location = self.location
        else:
            location = self.location

        conversation_count = self.conversation_count

        message_count = self.message_count

        created_at = self.created_at

        deleted_at: None | str
        deleted_at = self.deleted_at

        memory_count = self.memory_count

        size_bytes: int | None
        size_bytes = self.size_bytes

        last_active_on: None | str
        last_active_on = self.last_active_on

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "name": name,
                "on_source_deleted": on_source_deleted,
                "place": place,
                "jurisdiction": jurisdiction,
                "location": location,
                "conversation_count": conversation_count,
                "message_count": message_count,
                "created_at": created_at,
                "deleted_at": deleted_at,
                "memory_count": memory_count,
                "size_bytes": size_bytes,
                "last_active_on": last_active_on,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        on_source_deleted = check_on_source_deleted(d.pop("on_source_deleted"))

        place = check_place(d.pop("place"))

        def _parse_jurisdiction(
            data: object,
        ) -> JurisdictionType1 | JurisdictionType2Type1 | JurisdictionType3Type1 | None:
            if data is None:
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
            return cast(JurisdictionType1 | JurisdictionType2Type1 | JurisdictionType3Type1 | None, data)

        jurisdiction = _parse_jurisdiction(d.pop("jurisdiction"))

        def _parse_location(data: object) -> LocationHintType1 | LocationHintType2Type1 | LocationHintType3Type1 | None:
            if data is None:
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
            return cast(LocationHintType1 | LocationHintType2Type1 | LocationHintType3Type1 | None, data)

        location = _parse_location(d.pop("location"))

        conversation_count = d.pop("conversation_count")

        message_count = d.pop("message_count")

        created_at = d.pop("created_at")

        def _parse_deleted_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        deleted_at = _parse_deleted_at(d.pop("deleted_at"))

        memory_count = d.pop("memory_count")

        def _parse_size_bytes(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        size_bytes = _parse_size_bytes(d.pop("size_bytes"))

        def _parse_last_active_on(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        last_active_on = _parse_last_active_on(d.pop("last_active_on"))

        listed_organization = cls(
            id=id,
            name=name,
            on_source_deleted=on_source_deleted,
            place=place,
            jurisdiction=jurisdiction,
            location=location,
            conversation_count=conversation_count,
            message_count=message_count,
            created_at=created_at,
            deleted_at=deleted_at,
            memory_count=memory_count,
            size_bytes=size_bytes,
            last_active_on=last_active_on,
        )

        return listed_organization
