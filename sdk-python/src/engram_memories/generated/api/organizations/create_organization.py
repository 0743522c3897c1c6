# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.created_organization import CreatedOrganization
from ...models.jurisdiction_type_1 import JurisdictionType1
from ...models.jurisdiction_type_2_type_1 import JurisdictionType2Type1
from ...models.jurisdiction_type_3_type_1 import JurisdictionType3Type1
from ...models.location_hint_type_1 import LocationHintType1
from ...models.location_hint_type_2_type_1 import LocationHintType2Type1
from ...models.location_hint_type_3_type_1 import LocationHintType3Type1
from ...models.place import Place
from ...types import UNSET, Unset


def request(
    *,
    name: str,
    place: Place | Unset = UNSET,
    jurisdiction: None | JurisdictionType1 | JurisdictionType2Type1 | JurisdictionType3Type1 | Unset = UNSET,
    location: None | LocationHintType1 | LocationHintType2Type1 | LocationHintType3Type1 | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[CreatedOrganization]:
    return Request(
        "POST",
        path_of(
            "/v1/organizations",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            name=name,
            place=place,
            jurisdiction=jurisdiction,
            location=location,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> CreatedOrganization:
    response_201 = CreatedOrganization.from_dict(body)

    return response_201
