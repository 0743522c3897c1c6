# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..models.entity_kind import EntityKind, check_entity_kind

T = TypeVar("T", bound="CreateEvaluationBodyRequestEntitiesItem")


@_attrs_define
class CreateEvaluationBodyRequestEntitiesItem:
    kind: EntityKind
    """ Kind of an entity. `file`: a file name or path. `symbol`: a name in code that has several parts or is
    called. `error_code`: an error code or the name of an exception. `command`: a command line. `url`: a link.
    `ticket`: the number of an issue, ticket or pull request. `version`: a version number. `date`: a day or month.
    `amount`: an amount of money with its currency. `email`: an email address. `quoted_name`: a name or title in
    double quotes. """
    value: str
    """ Value of the entity. Case and accents do not matter. """

    def to_dict(self) -> dict[str, Any]:
        kind: str = self.kind

        value = self.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "value": value,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        kind = check_entity_kind(d.pop("kind"))

        value = d.pop("value")

        create_evaluation_body_request_entities_item = cls(
            kind=kind,
            value=value,
        )

        return create_evaluation_body_request_entities_item
