# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

Place = Literal["cell", "d1"]


def check_place(value: str) -> Place:
    return cast(Place, value)
