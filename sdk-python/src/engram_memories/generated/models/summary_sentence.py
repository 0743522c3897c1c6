# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.summary_sentence_cites_item import SummarySentenceCitesItem


T = TypeVar("T", bound="SummarySentence")


@_attrs_define
class SummarySentence:
    text: str
    """ The sentence. """
    cites: list[SummarySentenceCitesItem]
    """ The messages that say so. All of them are in the range of the summary. """

    def to_dict(self) -> dict[str, Any]:
        text = self.text

        cites = []
        for cites_item_data in self.cites:
            cites_item = cites_item_data.to_dict()
            cites.append(cites_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "text": text,
                "cites": cites,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.summary_sentence_cites_item import SummarySentenceCitesItem  # noqa: PLC0415

        d = dict(src_dict)
        text = d.pop("text")

        cites = []
        _cites = d.pop("cites")
        for cites_item_data in _cites:
            cites_item = SummarySentenceCitesItem.from_dict(cites_item_data)

            cites.append(cites_item)

        summary_sentence = cls(
            text=text,
            cites=cites,
        )

        return summary_sentence
