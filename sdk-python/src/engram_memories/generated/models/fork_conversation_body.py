# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ForkConversationBody")


@_attrs_define
class ForkConversationBody:
    sequence: int | Unset = UNSET
    """ Sequence number of the last message to copy; 0 for no messages. Default: all messages. """
    external_id: None | str | Unset = UNSET
    """ Your own id for the fork. No other conversation of its agent and user may have it. """
    title: None | str | Unset = UNSET
    """ Title of the fork. Default: the title of the original. """

    def to_dict(self) -> dict[str, Any]:
        sequence = self.sequence

        external_id: None | str | Unset
        if isinstance(self.external_id, Unset):
            external_id = UNSET
        else:
            external_id = self.external_id

        title: None | str | Unset
        if isinstance(self.title, Unset):
            title = UNSET
        else:
            title = self.title

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if sequence is not UNSET:
            field_dict["sequence"] = sequence
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if title is not UNSET:
            field_dict["title"] = title

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        sequence = d.pop("sequence", UNSET)

        def _parse_external_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        external_id = _parse_external_id(d.pop("external_id", UNSET))

        def _parse_title(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        title = _parse_title(d.pop("title", UNSET))

        fork_conversation_body = cls(
            sequence=sequence,
            external_id=external_id,
            title=title,
        )

        return fork_conversation_body
