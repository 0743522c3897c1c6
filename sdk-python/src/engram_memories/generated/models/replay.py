# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

from ..models.replay_degraded_item import ReplayDegradedItem, check_replay_degraded_item

if TYPE_CHECKING:
    from ..models.replay_difference import ReplayDifference
    from ..models.replay_models import ReplayModels


T = TypeVar("T", bound="Replay")


@_attrs_define
class Replay:
    """The same request again, compared with its receipt. It has no content."""

    recall_id: str
    """ Id of a receipt of recall: what a search or a context answered. """
    same: bool
    """ Whether the new answer has the same items, with the same content, in the same order. Scores may differ. """
    differences: list[ReplayDifference]
    """ What differs: first items of the receipt in its order, then added ones. """
    degraded: list[ReplayDegradedItem]
    """ Reasons why the results may be incomplete or less well ordered; empty if there are none. `semantic`: the
    embedding model or the vector store did not respond, so only keywords were searched. `semantic_partial`: matches
    by meaning may be missing, because of the filters. They match more conversations than one query of the vector
    store can list, or too few of the nearest vectors match them, or the organization has more conversations than
    one search compares with them. `keyword_partial`: matches by keywords may be missing, because the words occur in
    more places than one search reads. The most frequent words were searched only in the newest messages, or a
    phrase of frequent words was not found everywhere, or an exclusion may have excluded too much. With filters,
    only the conversations with the rarest words may have been searched. It also says that the words of a large
    write of the organization are still being inserted. `phrase_too_long`: a quoted phrase has more than 32 words,
    so it was searched as plain words. `model_mismatch`: some messages or memories have vectors of an earlier
    embedding model and were searched by keywords only. For a key that is bound to an agent, it may concern data of
    other agents, if 5,000 or more vectors of the organization are of an earlier model. `rerank`: reranking was
    requested, but no reranking model responded; a service on a single machine has none. The results are ordered as
    without `rerank`. """
    models: ReplayModels
    """ Models of the new search. """
    rules: int
    """ Version of the rules by which the service ranks, cuts and lays out. It increases with every release that
    changes them. """
    replayed_at: str
    """ Time of the new search. """

    def to_dict(self) -> dict[str, Any]:
        recall_id = self.recall_id

        same = self.same

        differences = []
        for differences_item_data in self.differences:
            differences_item = differences_item_data.to_dict()
            differences.append(differences_item)

        degraded = []
        for degraded_item_data in self.degraded:
            degraded_item: str = degraded_item_data
            degraded.append(degraded_item)

        models = self.models.to_dict()

        rules = self.rules

        replayed_at = self.replayed_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "recall_id": recall_id,
                "same": same,
                "differences": differences,
                "degraded": degraded,
                "models": models,
                "rules": rules,
                "replayed_at": replayed_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.replay_difference import ReplayDifference  # noqa: PLC0415
        from ..models.replay_models import ReplayModels  # noqa: PLC0415

        d = dict(src_dict)
        recall_id = d.pop("recall_id")

        same = d.pop("same")

        differences = []
        _differences = d.pop("differences")
        for differences_item_data in _differences:
            differences_item = ReplayDifference.from_dict(differences_item_data)

            differences.append(differences_item)

        degraded = []
        _degraded = d.pop("degraded")
        for degraded_item_data in _degraded:
            degraded_item = check_replay_degraded_item(degraded_item_data)

            degraded.append(degraded_item)

        models = ReplayModels.from_dict(d.pop("models"))

        rules = d.pop("rules")

        replayed_at = d.pop("replayed_at")

        replay = cls(
            recall_id=recall_id,
            same=same,
            differences=differences,
            degraded=degraded,
            models=models,
            rules=rules,
            replayed_at=replayed_at,
        )

        return replay
