# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

from ..models.evaluation_run_degraded_item import EvaluationRunDegradedItem, check_evaluation_run_degraded_item

if TYPE_CHECKING:
    from ..models.evaluation_run_models import EvaluationRunModels
    from ..models.evaluation_run_ranks_item import EvaluationRunRanksItem


T = TypeVar("T", bound="EvaluationRun")


@_attrs_define
class EvaluationRun:
    """How a search did: where it found what was expected."""

    ranks: list[EvaluationRunRanksItem]
    """ Where each expected item was found, in the order of `expected`. """
    any: bool
    """ Whether any expected item is among the first `depth` results: any@k of this query. """
    ndcg: float
    """ nDCG of the first `depth` results, to six digits: 1 if all expected items rank first, 0 if none is found. A
    result that has several of them counts for each, up to 1. """
    degraded: list[EvaluationRunDegradedItem]
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
    models: EvaluationRunModels
    """ Models of the search. """
    rules: int
    """ Version of the rules by which the service ranks, cuts and lays out. It increases with every release that
    changes them. """
    run_at: str
    """ Time of the run. """

    def to_dict(self) -> dict[str, Any]:
        ranks = []
        for ranks_item_data in self.ranks:
            ranks_item = ranks_item_data.to_dict()
            ranks.append(ranks_item)

        any = self.any

        ndcg = self.ndcg

        degraded = []
        for degraded_item_data in self.degraded:
            degraded_item: str = degraded_item_data
            degraded.append(degraded_item)

        models = self.models.to_dict()

        rules = self.rules

        run_at = self.run_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "ranks": ranks,
                "any": any,
                "ndcg": ndcg,
                "degraded": degraded,
                "models": models,
                "rules": rules,
                "run_at": run_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.evaluation_run_models import EvaluationRunModels  # noqa: PLC0415
        from ..models.evaluation_run_ranks_item import EvaluationRunRanksItem  # noqa: PLC0415

        d = dict(src_dict)
        ranks = []
        _ranks = d.pop("ranks")
        for ranks_item_data in _ranks:
            ranks_item = EvaluationRunRanksItem.from_dict(ranks_item_data)

            ranks.append(ranks_item)

        any = d.pop("any")

        ndcg = d.pop("ndcg")

        degraded = []
        _degraded = d.pop("degraded")
        for degraded_item_data in _degraded:
            degraded_item = check_evaluation_run_degraded_item(degraded_item_data)

            degraded.append(degraded_item)

        models = EvaluationRunModels.from_dict(d.pop("models"))

        rules = d.pop("rules")

        run_at = d.pop("run_at")

        evaluation_run = cls(
            ranks=ranks,
            any=any,
            ndcg=ndcg,
            degraded=degraded,
            models=models,
            rules=rules,
            run_at=run_at,
        )

        return evaluation_run
