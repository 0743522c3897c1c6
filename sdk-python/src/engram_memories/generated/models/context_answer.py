# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.context_answer_degraded_item import ContextAnswerDegradedItem, check_context_answer_degraded_item
from ..models.context_answer_stable_changed_type_1 import (
    ContextAnswerStableChangedType1,
    check_context_answer_stable_changed_type_1,
)
from ..models.context_answer_stable_changed_type_2_type_1 import (
    ContextAnswerStableChangedType2Type1,
    check_context_answer_stable_changed_type_2_type_1,
)
from ..models.context_answer_stable_changed_type_3_type_1 import (
    ContextAnswerStableChangedType3Type1,
    check_context_answer_stable_changed_type_3_type_1,
)
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.context_answer_memories import ContextAnswerMemories
    from ..models.context_answer_messages import ContextAnswerMessages
    from ..models.context_answer_results import ContextAnswerResults
    from ..models.context_answer_summaries import ContextAnswerSummaries


T = TypeVar("T", bound="ContextAnswer")


@_attrs_define
class ContextAnswer:
    text: str
    """ One text for a prompt: memories, search results, then the newest messages, each with its id or number and
    its time. A memory also names the messages that it cites, as `from [3] of conv_…`, without their text:
    quotations are only in `memories`, and cost nothing. A sentence at its start says that it is data. The tags
    around it occur nowhere within it, and the further lines of a message or memory are indented, so stored text can
    neither end the block nor pretend to be another entry. Empty if there is nothing to include. """
    tokens: int
    """ Upper bound on the number of tokens that a model counts in `text`, also if it is sent as a JSON string. At
    most `max_tokens`. It is computed as in `search`. """
    messages: ContextAnswerMessages
    """ The newest messages. Empty without `conversation_id`. """
    memories: ContextAnswerMemories
    """ Memories. Without `query`, and with neither a user nor an agent in the request or the key, there are none.
    """
    results: ContextAnswerResults
    """ Search results in conversations. Empty without `query`. """
    degraded: list[ContextAnswerDegradedItem]
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
    """ As in `search`. 0 without `query`. """
    summaries: ContextAnswerSummaries | Unset = UNSET
    """ Summaries of the conversation, of messages before its newest ones that are included. Present only if
    `shares` gives them a weight. """
    recall_id: None | str | Unset = UNSET
    """ Present only with `record`: id of the receipt, which is stored durably. Null if none was kept, because
    nothing is stored for the user any more, or because `conversation_id` is not a conversation that the key can
    read. """
    stable: list[str] | Unset = UNSET
    """ Only with the layout `stable`: the blocks that begin `text`, with memories, earlier messages, and summaries
    of what is before these. Each keeps its bytes, and new ones come at the end, until the stable part begins anew.
    Every request reads what is in it again, so an edited or deleted text is never in it. """
    dynamic: str | Unset = UNSET
    """ Only with the layout `stable`: the block that ends `text`, with what `query` finds, other memories and the
    newest messages. What is in `stable` is not in it again. Empty if there is nothing to include. """
    stable_id: None | str | Unset = UNSET
    """ Only with the layout `stable`: what the next request sends as `previous`. It is another one whenever
    `stable` has changed. Null if `stable` is empty. """
    stable_changed: (
        ContextAnswerStableChangedType1
        | ContextAnswerStableChangedType2Type1
        | ContextAnswerStableChangedType3Type1
        | None
        | Unset
    ) = UNSET
    """ Only with the layout `stable`: why the stable part began anew. Null if it begins with that of `previous`.

    - `new`: The request has no `previous`.
    - `unknown_previous`: There is no such stable part, or it was not continued for 24 hours, or it belongs to
    another request: to another conversation, excluded conversation, user, agent, `metadata` or `as_of`, or to a key
    with another agent or user.
    - `edited`: A message or memory in it, or a message that a summary in it covers, was edited.
    - `deleted`: A message or memory in it was deleted, or does not match the request any more. The deletion of a
    message that only a summary covers counts as `edited`.
    - `ended`: A memory in it does not hold any more at `valid_at`.
    - `over_share`: It has more tokens than its share, or it is full and much was stored since that is not in it.
    """

    def to_dict(self) -> dict[str, Any]:
        text = self.text

        tokens = self.tokens

        messages = self.messages.to_dict()

        memories = self.memories.to_dict()

        results = self.results.to_dict()

        degraded = []
        for degraded_item_data in self.degraded:
            degraded_item: str = degraded_item_data
            degraded.append(degraded_item)

        pending = self.pending

        summaries: dict[str, Any] | Unset = UNSET
        if not isinstance(self.summaries, Unset):
            summaries = self.summaries.to_dict()

        recall_id: None | str | Unset
        if isinstance(self.recall_id, Unset):
            recall_id = UNSET
        else:
            recall_id = self.recall_id

        stable: list[str] | Unset = UNSET
        if not isinstance(self.stable, Unset):
            stable = self.stable

        dynamic = self.dynamic

        stable_id: None | str | Unset
        if isinstance(self.stable_id, Unset):
            stable_id = UNSET
        else:
            stable_id = self.stable_id

        stable_changed: None | str | Unset
        if isinstance(self.stable_changed, Unset):
            stable_changed = UNSET
        elif isinstance(self.stable_changed, str):
            stable_changed = self.stable_changed
        elif isinstance(self.stable_changed, str):
            stable_changed = self.stable_changed
        elif isinstance(self.stable_changed, str):
            stable_changed = self.stable_changed
        else:
            stable_changed = self.stable_changed

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "text": text,
                "tokens": tokens,
                "messages": messages,
                "memories": memories,
                "results": results,
                "degraded": degraded,
                "pending": pending,
            }
        )
        if summaries is not UNSET:
            field_dict["summaries"] = summaries
        if recall_id is not UNSET:
            field_dict["recall_id"] = recall_id
        if stable is not UNSET:
            field_dict["stable"] = stable
        if dynamic is not UNSET:
            field_dict["dynamic"] = dynamic
        if stable_id is not UNSET:
            field_dict["stable_id"] = stable_id
        if stable_changed is not UNSET:
            field_dict["stable_changed"] = stable_changed

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.context_answer_memories import ContextAnswerMemories  # noqa: PLC0415
        from ..models.context_answer_messages import ContextAnswerMessages  # noqa: PLC0415
        from ..models.context_answer_results import ContextAnswerResults  # noqa: PLC0415
        from ..models.context_answer_summaries import ContextAnswerSummaries  # noqa: PLC0415

        d = dict(src_dict)
        text = d.pop("text")

        tokens = d.pop("tokens")

        messages = ContextAnswerMessages.from_dict(d.pop("messages"))

        memories = ContextAnswerMemories.from_dict(d.pop("memories"))

        results = ContextAnswerResults.from_dict(d.pop("results"))

        degraded = []
        _degraded = d.pop("degraded")
        for degraded_item_data in _degraded:
            degraded_item = check_context_answer_degraded_item(degraded_item_data)

            degraded.append(degraded_item)

        pending = d.pop("pending")

        _summaries = d.pop("summaries", UNSET)
        summaries: ContextAnswerSummaries | Unset
        if isinstance(_summaries, Unset):
            summaries = UNSET
        else:
            summaries = ContextAnswerSummaries.from_dict(_summaries)

        def _parse_recall_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        recall_id = _parse_recall_id(d.pop("recall_id", UNSET))

        stable = cast(list[str], d.pop("stable", UNSET))

        dynamic = d.pop("dynamic", UNSET)

        def _parse_stable_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        stable_id = _parse_stable_id(d.pop("stable_id", UNSET))

        def _parse_stable_changed(
            data: object,
        ) -> (
            ContextAnswerStableChangedType1
            | ContextAnswerStableChangedType2Type1
            | ContextAnswerStableChangedType3Type1
            | None
            | Unset
        ):
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                stable_changed_type_1 = check_context_answer_stable_changed_type_1(data)

                return stable_changed_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                stable_changed_type_2_type_1 = check_context_answer_stable_changed_type_2_type_1(data)

                return stable_changed_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                stable_changed_type_3_type_1 = check_context_answer_stable_changed_type_3_type_1(data)

                return stable_changed_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                ContextAnswerStableChangedType1
                | ContextAnswerStableChangedType2Type1
                | ContextAnswerStableChangedType3Type1
                | None
                | Unset,
                data,
            )

        stable_changed = _parse_stable_changed(d.pop("stable_changed", UNSET))

        context_answer = cls(
            text=text,
            tokens=tokens,
            messages=messages,
            memories=memories,
            results=results,
            degraded=degraded,
            pending=pending,
            summaries=summaries,
            recall_id=recall_id,
            stable=stable,
            dynamic=dynamic,
            stable_id=stable_id,
            stable_changed=stable_changed,
        )

        return context_answer
