# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.recall_line_degraded_item import RecallLineDegradedItem, check_recall_line_degraded_item
from ..models.recall_line_operation import RecallLineOperation, check_recall_line_operation

if TYPE_CHECKING:
    from ..models.recall_line_key import RecallLineKey
    from ..models.recall_line_layout_item import RecallLineLayoutItem
    from ..models.recall_line_models import RecallLineModels
    from ..models.recalled_item import RecalledItem


T = TypeVar("T", bound="RecallLine")


@_attrs_define
class RecallLine:
    """A receipt of recall. All other lines come before the first of these. Its hashes can be compared only in the
    organization that recorded it.

    """

    type: Literal["recall"]
    id: str
    """ Id of a receipt of recall: what a search or a context answered. """
    operation: RecallLineOperation
    """ Operation whose answer was recorded. """
    request: Any
    """ Body of the request: the query, the filters and all other fields with their defaults, except `record`. So a
    receipt has the text of its query. """
    agent_id: None | str
    """ Agent of the request: that of the key, of the filter, or of `conversation_id`. """
    user_id: None | str
    """ User of the request: that of the key, of the filter, or of `conversation_id`. The receipt is deleted with
    the user. """
    key: RecallLineKey
    """ Key of the request. """
    run_id: None | str
    """ Your own id for the run of the agent that asked. """
    metadata: Any
    items: list[RecalledItem]
    """ Every item of the answer, in its order: results as they rank, messages by sequence. """
    layout: list[RecallLineLayoutItem]
    """ The lists of the answer in order: what each cost, and what was left out of it. """
    tokens: int
    """ Tokens of the whole answer, as it stated them. """
    degraded: list[RecallLineDegradedItem]
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
    models: RecallLineModels
    """ Models of the search. """
    rules: int
    """ Version of the rules by which the service ranks, cuts and lays out. It increases with every release that
    changes them. """
    used: list[str] | None
    """ Ids of the items that were used, as `updateRecall` noted them. Null until then. """
    outcome: None | str
    """ What came of the answer, as `updateRecall` noted it. Null until then. """
    noted_at: None | str
    """ Time of the last note; null until then. """
    created_at: str
    """ Time when the answer was recorded. """
    expires_at: str
    """ Time when the receipt is deleted, 30 days after `created_at`. """

    def to_dict(self) -> dict[str, Any]:
        type = self.type

        id = self.id

        operation: str = self.operation

        request = self.request

        agent_id: None | str
        agent_id = self.agent_id

        user_id: None | str
        user_id = self.user_id

        key = self.key.to_dict()

        run_id: None | str
        run_id = self.run_id

        metadata = self.metadata

        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        layout = []
        for layout_item_data in self.layout:
            layout_item = layout_item_data.to_dict()
            layout.append(layout_item)

        tokens = self.tokens

        degraded = []
        for degraded_item_data in self.degraded:
            degraded_item: str = degraded_item_data
            degraded.append(degraded_item)

        pending = self.pending

        models = self.models.to_dict()

        rules = self.rules

        used: list[str] | None
        if isinstance(self.used, list):
            used = self.used

        else:
            used = self.used

        outcome: None | str
        outcome = self.outcome

        noted_at: None | str
        noted_at = self.noted_at

        created_at = self.created_at

        expires_at = self.expires_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "type": type,
                "id": id,
                "operation": operation,
                "request": request,
                "agent_id": agent_id,
                "user_id": user_id,
                "key": key,
                "run_id": run_id,
                "metadata": metadata,
                "items": items,
                "layout": layout,
                "tokens": tokens,
                "degraded": degraded,
                "pending": pending,
                "models": models,
                "rules": rules,
                "used": used,
                "outcome": outcome,
                "noted_at": noted_at,
                "created_at": created_at,
                "expires_at": expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.recall_line_key import RecallLineKey  # noqa: PLC0415
        from ..models.recall_line_layout_item import RecallLineLayoutItem  # noqa: PLC0415
        from ..models.recall_line_models import RecallLineModels  # noqa: PLC0415
        from ..models.recalled_item import RecalledItem  # noqa: PLC0415

        d = dict(src_dict)
        type = cast(Literal["recall"], d.pop("type"))
        if type != "recall":
            raise ValueError(f"type must match const 'recall', got '{type}'")

        id = d.pop("id")

        operation = check_recall_line_operation(d.pop("operation"))

        request = d.pop("request")

        def _parse_agent_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        agent_id = _parse_agent_id(d.pop("agent_id"))

        def _parse_user_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        user_id = _parse_user_id(d.pop("user_id"))

        key = RecallLineKey.from_dict(d.pop("key"))

        def _parse_run_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        run_id = _parse_run_id(d.pop("run_id"))

        metadata = d.pop("metadata")

        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = RecalledItem.from_dict(items_item_data)

            items.append(items_item)

        layout = []
        _layout = d.pop("layout")
        for layout_item_data in _layout:
            layout_item = RecallLineLayoutItem.from_dict(layout_item_data)

            layout.append(layout_item)

        tokens = d.pop("tokens")

        degraded = []
        _degraded = d.pop("degraded")
        for degraded_item_data in _degraded:
            degraded_item = check_recall_line_degraded_item(degraded_item_data)

            degraded.append(degraded_item)

        pending = d.pop("pending")

        models = RecallLineModels.from_dict(d.pop("models"))

        rules = d.pop("rules")

        def _parse_used(data: object) -> list[str] | None:
            if data is None:
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                used_type_0 = cast(list[str], data)

                return used_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None, data)

        used = _parse_used(d.pop("used"))

        def _parse_outcome(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        outcome = _parse_outcome(d.pop("outcome"))

        def _parse_noted_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        noted_at = _parse_noted_at(d.pop("noted_at"))

        created_at = d.pop("created_at")

        expires_at = d.pop("expires_at")

        recall_line = cls(
            type=type,
            id=id,
            operation=operation,
            request=request,
            agent_id=agent_id,
            user_id=user_id,
            key=key,
            run_id=run_id,
            metadata=metadata,
            items=items,
            layout=layout,
            tokens=tokens,
            degraded=degraded,
            pending=pending,
            models=models,
            rules=rules,
            used=used,
            outcome=outcome,
            noted_at=noted_at,
            created_at=created_at,
            expires_at=expires_at,
        )

        return recall_line
