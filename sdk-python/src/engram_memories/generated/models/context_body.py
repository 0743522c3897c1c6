# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.context_body_layout import ContextBodyLayout, check_context_body_layout
from ..models.context_body_visibility_item import ContextBodyVisibilityItem, check_context_body_visibility_item
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.context_body_record_type_1 import ContextBodyRecordType1
    from ..models.context_body_shares import ContextBodyShares


T = TypeVar("T", bound="ContextBody")


@_attrs_define
class ContextBody:
    query: str | Unset = UNSET
    """ What the model is about to answer, such as the user's last message. It is searched in conversations and
    memories as `search` does. Default: no search. """
    conversation_id: str | Unset = UNSET
    """ Conversation that is being continued. Its newest messages are included. It counts as absent if it belongs to
    another user or agent than the request names. """
    exclude_conversation: str | Unset = UNSET
    """ Id or `external_id` of a conversation to leave out of the search results, such as the one whose messages the
    prompt has already. With `shares.messages` 0, the context then has none of its messages. """
    user_id: str | Unset = UNSET
    """ Only memories and search results of this user; shared ones match, too. The newest of these memories are
    included. """
    visibility: list[ContextBodyVisibilityItem] | Unset = UNSET
    """ Which memories and search results are included: those that are not shared (`own`), the shared ones
    (`shared`), or both. Default: both. With `shared` alone, the newest shared memories are included without a user,
    too. """
    agent_id: str | Unset = UNSET
    """ Only memories and search results of this agent. With `user_id`, both must match. The newest memories are
    included. """
    metadata: Any | Unset = UNSET
    """ Only memories and search results whose `metadata` has these keys and values: the metadata of the memory, or
    of the conversation. They are compared at its top level. At most 16 keys. The newest messages of
    `conversation_id` are included in any case. """
    as_of: str | Unset = UNSET
    """ Answer as of a moment of the past, with what was stored by then: a time, or a message as the id of its
    conversation, `:` and its sequence number, for the moment at which this message was stored. What was deleted
    since stays deleted. What was changed since is returned as it is today, and has `edited_since`. """
    record: bool | ContextBodyRecordType1 | Unset = UNSET
    """ Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and hashes of the
    items, but no content. `true`, or an object with your own `run_id` and `metadata` for it. Default `false`. """
    max_tokens: int | Unset = UNSET
    """ Maximum tokens of `text`, also if it is sent as a JSON string. Tokens are counted as in `tokens`. """
    valid_at: str | Unset = UNSET
    """ Time at which memories should hold. Memories that do not hold then, because they have ended or not begun,
    come after all others, and `text` marks them. Default: now. """
    shares: ContextBodyShares | Unset = UNSET
    """ How the parts divide `max_tokens`, in proportion to their weights. What a part does not need, the others
    get. A part with the weight 0 is left out. """
    layout: ContextBodyLayout | Unset = UNSET
    """ `single`: one text, made anew for each request. `stable`: also the two texts of which it consists, for
    providers that cache what a prompt begins with. `stable` is to be sent before the conversation, and keeps its
    bytes from request to request; `dynamic` is to be sent after it. """
    previous: None | str | Unset = UNSET
    """ With the layout `stable`: `stable_id` of the context before, whose stable part this one continues. Default:
    none, so that the stable part begins anew. Ignored with the layout `single`. """
    min_relevance: float | Unset = UNSET
    """ Lowest `relevance` of a search result, 0 to 1. Results below it are left out and counted. Default: 0.005,
    but the 3 best memories are kept whatever their relevance, and `text` marks those below it with "low relevance".
    """

    def to_dict(self) -> dict[str, Any]:
        from ..models.context_body_record_type_1 import ContextBodyRecordType1  # noqa: PLC0415

        query = self.query

        conversation_id = self.conversation_id

        exclude_conversation = self.exclude_conversation

        user_id = self.user_id

        visibility: list[str] | Unset = UNSET
        if not isinstance(self.visibility, Unset):
            visibility = []
            for visibility_item_data in self.visibility:
                visibility_item: str = visibility_item_data
                visibility.append(visibility_item)

        agent_id = self.agent_id

        metadata = self.metadata

        as_of: str | Unset
        if isinstance(self.as_of, Unset):
            as_of = UNSET
        else:
            as_of = self.as_of

        record: bool | dict[str, Any] | Unset
        if isinstance(self.record, Unset):
            record = UNSET
        elif isinstance(self.record, ContextBodyRecordType1):
            record = self.record.to_dict()
        else:
            record = self.record

        max_tokens = self.max_tokens

        valid_at = self.valid_at

        shares: dict[str, Any] | Unset = UNSET
        if not isinstance(self.shares, Unset):
            shares = self.shares.to_dict()

        layout: str | Unset = UNSET
        if not isinstance(self.layout, Unset):
            layout = self.layout

        previous: None | str | Unset
        if isinstance(self.previous, Unset):
            previous = UNSET
        else:
            previous = self.previous

        min_relevance = self.min_relevance

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if query is not UNSET:
            field_dict["query"] = query
        if conversation_id is not UNSET:
            field_dict["conversation_id"] = conversation_id
        if exclude_conversation is not UNSET:
            field_dict["exclude_conversation"] = exclude_conversation
        if user_id is not UNSET:
            field_dict["user_id"] = user_id
        if visibility is not UNSET:
            field_dict["visibility"] = visibility
        if agent_id is not UNSET:
            field_dict["agent_id"] = agent_id
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if as_of is not UNSET:
            field_dict["as_of"] = as_of
        if record is not UNSET:
            field_dict["record"] = record
        if max_tokens is not UNSET:
            field_dict["max_tokens"] = max_tokens
        if valid_at is not UNSET:
            field_dict["valid_at"] = valid_at
        if shares is not UNSET:
            field_dict["shares"] = shares
        if layout is not UNSET:
            field_dict["layout"] = layout
        if previous is not UNSET:
            field_dict["previous"] = previous
        if min_relevance is not UNSET:
            field_dict["min_relevance"] = min_relevance

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.context_body_record_type_1 import ContextBodyRecordType1  # noqa: PLC0415
        from ..models.context_body_shares import ContextBodyShares  # noqa: PLC0415

        d = dict(src_dict)
        query = d.pop("query", UNSET)

        conversation_id = d.pop("conversation_id", UNSET)

        exclude_conversation = d.pop("exclude_conversation", UNSET)

        user_id = d.pop("user_id", UNSET)

        _visibility = d.pop("visibility", UNSET)
        visibility: list[ContextBodyVisibilityItem] | Unset = UNSET
        if _visibility is not UNSET:
            visibility = []
            for visibility_item_data in _visibility:
                visibility_item = check_context_body_visibility_item(visibility_item_data)

                visibility.append(visibility_item)

        agent_id = d.pop("agent_id", UNSET)

        metadata = d.pop("metadata", UNSET)

        def _parse_as_of(data: object) -> str | Unset:
            if isinstance(data, Unset):
                return data
            return cast(str | Unset, data)

        as_of = _parse_as_of(d.pop("as_of", UNSET))

        def _parse_record(data: object) -> bool | ContextBodyRecordType1 | Unset:
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                record_type_1 = ContextBodyRecordType1.from_dict(data)

                return record_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(bool | ContextBodyRecordType1 | Unset, data)

        record = _parse_record(d.pop("record", UNSET))

        max_tokens = d.pop("max_tokens", UNSET)

        valid_at = d.pop("valid_at", UNSET)

        _shares = d.pop("shares", UNSET)
        shares: ContextBodyShares | Unset
        if isinstance(_shares, Unset):
            shares = UNSET
        else:
            shares = ContextBodyShares.from_dict(_shares)

        _layout = d.pop("layout", UNSET)
        layout: ContextBodyLayout | Unset
        if isinstance(_layout, Unset):
            layout = UNSET
        else:
            layout = check_context_body_layout(_layout)

        def _parse_previous(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        previous = _parse_previous(d.pop("previous", UNSET))

        min_relevance = d.pop("min_relevance", UNSET)

        context_body = cls(
            query=query,
            conversation_id=conversation_id,
            exclude_conversation=exclude_conversation,
            user_id=user_id,
            visibility=visibility,
            agent_id=agent_id,
            metadata=metadata,
            as_of=as_of,
            record=record,
            max_tokens=max_tokens,
            valid_at=valid_at,
            shares=shares,
            layout=layout,
            previous=previous,
            min_relevance=min_relevance,
        )

        return context_body
