# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.search_answer_degraded_item import SearchAnswerDegradedItem, check_search_answer_degraded_item
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.memory_result import MemoryResult
    from ..models.messages_result import MessagesResult


T = TypeVar("T", bound="SearchAnswer")


@_attrs_define
class SearchAnswer:
    results: list[MemoryResult | MessagesResult]
    """ Results, best first. No message is in two results. """
    degraded: list[SearchAnswerDegradedItem]
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
    pending: int
    """ Number of messages and memories that semantic search cannot find yet, because their vectors are not stored,
    or are stored but not yet visible to queries. Keyword search finds them. In `keyword` mode, it counts only those
    whose vectors are not stored. It is a lower bound if more than 5,000 indexing jobs of the organization are
    queued. """
    tokens: int
    """ Estimated number of tokens of the content of all results: never less than OpenAI's tokenizer o200k counts.
    In English and code it is about 6 % more, in Chinese, Japanese and Korean about 11 %, in other languages up to
    several times as much. """
    omitted: int
    """ Number of results that were left out, because all results together would exceed `max_tokens` or 2 MB. To get
    them, raise `max_tokens` or use a narrower filter; for messages, also fewer `neighbors`. """
    below_min_relevance: int
    """ Number of results, among the `limit` best, that were left out because their `relevance` is below
    `min_relevance`. """
    recall_id: None | str | Unset = UNSET
    """ Present only with `record`: id of the receipt, which is stored durably. Null if none was kept, because
    nothing is stored for the user any more, or because `conversation_id` is not a conversation that the key can
    read. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.messages_result import MessagesResult  # noqa: PLC0415

        results = []
        for results_item_data in self.results:
            results_item: dict[str, Any]
            if isinstance(results_item_data, MessagesResult):
                results_item = results_item_data.to_dict()
            else:
                results_item = results_item_data.to_dict()

            results.append(results_item)

        degraded = []
        for degraded_item_data in self.degraded:
            degraded_item: str = degraded_item_data
            degraded.append(degraded_item)

        pending = self.pending

        tokens = self.tokens

        omitted = self.omitted

        below_min_relevance = self.below_min_relevance

        recall_id: None | str | Unset
        if isinstance(self.recall_id, Unset):
            recall_id = UNSET
        else:
            recall_id = self.recall_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "results": results,
                "degraded": degraded,
                "pending": pending,
                "tokens": tokens,
                "omitted": omitted,
                "below_min_relevance": below_min_relevance,
            }
        )
        if recall_id is not UNSET:
            field_dict["recall_id"] = recall_id

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.memory_result import MemoryResult  # noqa: PLC0415
        from ..models.messages_result import MessagesResult  # noqa: PLC0415

        d = dict(src_dict)
        results = []
        _results = d.pop("results")
        for results_item_data in _results:

            def _parse_results_item(data: object) -> MemoryResult | MessagesResult:
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    componentsschemas_search_result_type_0 = MessagesResult.from_dict(data)

                    return componentsschemas_search_result_type_0
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_search_result_type_1 = MemoryResult.from_dict(data)

                return componentsschemas_search_result_type_1

            results_item = _parse_results_item(results_item_data)

            results.append(results_item)

        degraded = []
        _degraded = d.pop("degraded")
        for degraded_item_data in _degraded:
            degraded_item = check_search_answer_degraded_item(degraded_item_data)

            degraded.append(degraded_item)

        pending = d.pop("pending")

        tokens = d.pop("tokens")

        omitted = d.pop("omitted")

        below_min_relevance = d.pop("below_min_relevance")

        def _parse_recall_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        recall_id = _parse_recall_id(d.pop("recall_id", UNSET))

        search_answer = cls(
            results=results,
            degraded=degraded,
            pending=pending,
            tokens=tokens,
            omitted=omitted,
            below_min_relevance=below_min_relevance,
            recall_id=recall_id,
        )

        return search_answer
