# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="RecallModels")


@_attrs_define
class RecallModels:
    """Models of the search."""

    embedding: str
    """ Model of the vectors. """
    reranking: None | str
    """ Model that ordered the results again; null without `rerank`. """

    def to_dict(self) -> dict[str, Any]:
        embedding = self.embedding

        reranking: None | str
        reranking = self.reranking

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "embedding": embedding,
                "reranking": reranking,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        embedding = d.pop("embedding")

        def _parse_reranking(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reranking = _parse_reranking(d.pop("reranking"))

        recall_models = cls(
            embedding=embedding,
            reranking=reranking,
        )

        return recall_models
