# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.message_role import MessageRole, check_message_role
from ..models.search_body_in_item import SearchBodyInItem, check_search_body_in_item
from ..models.search_body_mode import SearchBodyMode, check_search_body_mode
from ..models.search_body_priors_item import SearchBodyPriorsItem, check_search_body_priors_item
from ..models.search_body_visibility_item import SearchBodyVisibilityItem, check_search_body_visibility_item
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.search_body_entities_item import SearchBodyEntitiesItem
    from ..models.search_body_neighbors import SearchBodyNeighbors
    from ..models.search_body_record_type_1 import SearchBodyRecordType1


T = TypeVar("T", bound="SearchBody")


@_attrs_define
class SearchBody:
    query: str
    """ A question, words or code. A hyphen excludes nothing, so `rm -rf dist` finds the command. In `keyword` mode,
    every match contains each `"quoted phrase"` of the query. In `hybrid` mode, messages and memories that contain a
    quoted phrase rank higher. In a query of several lines, quotes have no meaning. Limits: 48 distinct words (of
    more, the longest are used), 16 phrases (of more, the first are used), 32 words per phrase. A longer phrase
    counts as plain words; in `keyword` mode it is rejected with 400. """
    exclude: list[str] | Unset = UNSET
    """ Words or phrases that no match has. They count in every mode and in any form of the words. At most 16, of 32
    words each. A phrase needs no quotes. Messages near a match may contain them. """
    mode: SearchBodyMode | Unset = UNSET
    """ `semantic` searches by meaning, `keyword` by keywords, `hybrid` by both. """
    limit: int | Unset = UNSET
    """ Maximum number of results. """
    in_: list[SearchBodyInItem] | Unset = UNSET
    """ What to search: `conversations`, `memories` or both in one ranking. `summaries` searches conversations, too,
    and returns with each result the summaries of its best match: they come with the messages that they cite and
    never rank above them. They are those of today, so `as_of` excludes `summaries`. The filters by agent, user,
    tags, metadata and time apply to memories too. The filters that only conversations have (`conversation_id`,
    `roles`, `names`, `entities`) exclude all memories. """
    conversation_id: str | Unset = UNSET
    """ Only this conversation. """
    exclude_conversation: str | Unset = UNSET
    """ Id or `external_id` of a conversation to leave out, such as the one whose messages the prompt has already.
    Its messages take the place of no result. Memories that cite it are searched. """
    agent_id: str | Unset = UNSET
    """ Only data of this agent. """
    user_id: str | Unset = UNSET
    """ Only data of this user. What is shared matches, too; other data without a user does not. """
    visibility: list[SearchBodyVisibilityItem] | Unset = UNSET
    """ Which conversations and memories are searched: those that are not shared (`own`), the shared ones
    (`shared`), or both. Default: both. """
    tags_any: list[str] | Unset = UNSET
    """ Only conversations and memories with any of these tags. """
    tags_all: list[str] | Unset = UNSET
    """ Only conversations and memories with all of these tags. """
    roles: list[MessageRole] | Unset = UNSET
    """ Only matches with these roles. """
    names: list[str] | Unset = UNSET
    """ Only matches whose speaker has one of these names. """
    entities: list[SearchBodyEntitiesItem] | Unset = UNSET
    """ Only matches that mention at least one of these entities. A message is compared once it is indexed, within
    seconds. """
    metadata: Any | Unset = UNSET
    """ Only conversations and memories whose `metadata` has these keys and values. They are compared at its top
    level. At most 16 keys. """
    created_after: str | Unset = UNSET
    """ Only matches at or after this time. """
    created_before: str | Unset = UNSET
    """ Only matches before this time. """
    as_of: str | Unset = UNSET
    """ Only what was stored at a moment of the past: a time, or a message as the id of its conversation, `:` and
    its sequence number. Matches are found and ranked by what is stored and indexed today. What was changed since
    has `edited_since`. """
    neighbors: SearchBodyNeighbors | Unset = UNSET
    """ How many neighbors of each match to return: the messages around it. Filters do not apply to them. """
    priors: list[SearchBodyPriorsItem] | Unset = UNSET
    """ Adjustments of the scores, in addition to words and meaning. All but `hidden` apply in `hybrid` mode only.
    Default: all of them; `[]` for none. `answer`: a message after a question that matches the query ranks higher.
    `question`: a short question ranks lower. Both count less, the longer the messages are on average, and not at
    all from 180 words. `time`: if the query asks when, a message that contains a time ranks higher. `number`: if
    the query asks how many, a message that contains a number ranks higher. `date`: if the query names a day, week,
    month or year, a message said then or soon after ranks higher. `last week` counts from `created_before`, or from
    now. Of a day such as 3/12, both readings count half, unless the language of the query or another date tells
    which is meant. `speaker`: if the query names a speaker of a conversation of two, messages by the other rank
    lower. `hidden`: a message with the role `system` and `hidden: true` in its `metadata`, such as the hidden
    context of an imported chat, ranks after all others. """
    valid_at: str | Unset = UNSET
    """ Time at which memories should hold. Memories that do not hold then, because they have ended or not begun,
    rank below all other results. Default: now. """
    explain: bool | Unset = UNSET
    """ Whether to return the components of each match's score, as `explanation`. Default `false`. """
    rerank: bool | Unset = UNSET
    """ Whether to order the 50 best matches again with a model that reads query and text together. More accurate
    but slower, usually by a few hundred milliseconds. Default `false`. """
    min_relevance: float | Unset = UNSET
    """ Lowest `relevance`, 0 to 1. Results below it are left out and counted in `below_min_relevance`. Default: 0,
    which leaves out none. """
    keep_best: int | Unset = UNSET
    """ Number of best results that are kept although their `relevance` is below `min_relevance`: in a small store,
    an answer in other words than the question has a low relevance. A result with the relevance 0 is never kept. At
    most 10. Default 0. """
    record: bool | SearchBodyRecordType1 | Unset = UNSET
    """ Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and hashes of the
    items, but no content. `true`, or an object with your own `run_id` and `metadata` for it. Default `false`. """
    max_tokens: int | Unset = UNSET
    """ Maximum tokens of the results. Only their content counts, as in `tokens`. Messages and memories are chosen
    one by one: the best matches up to half of the limit, then the best match of each other result up to 70 %, then
    the nearest neighbors of these, then further matches. At first, a match has at most 300 tokens: a longer one is
    cut to the part with the most matching words, a memory to the chunk that matches. What is left makes cut matches
    longer, the best one first. A result is left out, and counted in `omitted`, if none of its messages fits.
    Default: no limit. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.search_body_record_type_1 import SearchBodyRecordType1  # noqa: PLC0415

        query = self.query

        exclude: list[str] | Unset = UNSET
        if not isinstance(self.exclude, Unset):
            exclude = self.exclude

        mode: str | Unset = UNSET
        if not isinstance(self.mode, Unset):
            mode = self.mode

        limit = self.limit

        in_: list[str] | Unset = UNSET
        if not isinstance(self.in_, Unset):
            in_ = []
            for in_item_data in self.in_:
                in_item: str = in_item_data
                in_.append(in_item)

        conversation_id = self.conversation_id

        exclude_conversation = self.exclude_conversation

        agent_id = self.agent_id

        user_id = self.user_id

        visibility: list[str] | Unset = UNSET
        if not isinstance(self.visibility, Unset):
            visibility = []
            for visibility_item_data in self.visibility:
                visibility_item: str = visibility_item_data
                visibility.append(visibility_item)

        tags_any: list[str] | Unset = UNSET
        if not isinstance(self.tags_any, Unset):
            tags_any = self.tags_any

        tags_all: list[str] | Unset = UNSET
        if not isinstance(self.tags_all, Unset):
            tags_all = self.tags_all

        roles: list[str] | Unset = UNSET
        if not isinstance(self.roles, Unset):
            roles = []
            for roles_item_data in self.roles:
                roles_item: str = roles_item_data
                roles.append(roles_item)

        names: list[str] | Unset = UNSET
        if not isinstance(self.names, Unset):
            names = self.names

        entities: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.entities, Unset):
            entities = []
            for entities_item_data in self.entities:
                entities_item = entities_item_data.to_dict()
                entities.append(entities_item)

        metadata = self.metadata

        created_after = self.created_after

        created_before = self.created_before

        as_of: str | Unset
        if isinstance(self.as_of, Unset):
            as_of = UNSET
        else:
            as_of = self.as_of

        neighbors: dict[str, Any] | Unset = UNSET
        if not isinstance(self.neighbors, Unset):
            neighbors = self.neighbors.to_dict()

        priors: list[str] | Unset = UNSET
        if not isinstance(self.priors, Unset):
            priors = []
            for priors_item_data in self.priors:
                priors_item: str = priors_item_data
                priors.append(priors_item)

        valid_at = self.valid_at

        explain = self.explain

        rerank = self.rerank

        min_relevance = self.min_relevance

        keep_best = self.keep_best

        record: bool | dict[str, Any] | Unset
        if isinstance(self.record, Unset):
            record = UNSET
        elif isinstance(self.record, SearchBodyRecordType1):
            record = self.record.to_dict()
        else:
            record = self.record

        max_tokens = self.max_tokens

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "query": query,
            }
        )
        if exclude is not UNSET:
            field_dict["exclude"] = exclude
        if mode is not UNSET:
            field_dict["mode"] = mode
        if limit is not UNSET:
            field_dict["limit"] = limit
        if in_ is not UNSET:
            field_dict["in"] = in_
        if conversation_id is not UNSET:
            field_dict["conversation_id"] = conversation_id
        if exclude_conversation is not UNSET:
            field_dict["exclude_conversation"] = exclude_conversation
        if agent_id is not UNSET:
            field_dict["agent_id"] = agent_id
        if user_id is not UNSET:
            field_dict["user_id"] = user_id
        if visibility is not UNSET:
            field_dict["visibility"] = visibility
        if tags_any is not UNSET:
            field_dict["tags_any"] = tags_any
        if tags_all is not UNSET:
            field_dict["tags_all"] = tags_all
        if roles is not UNSET:
            field_dict["roles"] = roles
        if names is not UNSET:
            field_dict["names"] = names
        if entities is not UNSET:
            field_dict["entities"] = entities
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if created_after is not UNSET:
            field_dict["created_after"] = created_after
        if created_before is not UNSET:
            field_dict["created_before"] = created_before
        if as_of is not UNSET:
            field_dict["as_of"] = as_of
        if neighbors is not UNSET:
            field_dict["neighbors"] = neighbors
        if priors is not UNSET:
            field_dict["priors"] = priors
        if valid_at is not UNSET:
            field_dict["valid_at"] = valid_at
        if explain is not UNSET:
            field_dict["explain"] = explain
        if rerank is not UNSET:
            field_dict["rerank"] = rerank
        if min_relevance is not UNSET:
            field_dict["min_relevance"] = min_relevance
        if keep_best is not UNSET:
            field_dict["keep_best"] = keep_best
        if record is not UNSET:
            field_dict["record"] = record
        if max_tokens is not UNSET:
            field_dict["max_tokens"] = max_tokens

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.search_body_entities_item import SearchBodyEntitiesItem  # noqa: PLC0415
        from ..models.search_body_neighbors import SearchBodyNeighbors  # noqa: PLC0415
        from ..models.search_body_record_type_1 import SearchBodyRecordType1  # noqa: PLC0415

        d = dict(src_dict)
        query = d.pop("query")

        exclude = cast(list[str], d.pop("exclude", UNSET))

        _mode = d.pop("mode", UNSET)
        mode: SearchBodyMode | Unset
        if isinstance(_mode, Unset):
            mode = UNSET
        else:
            mode = check_search_body_mode(_mode)

        limit = d.pop("limit", UNSET)

        _in_ = d.pop("in", UNSET)
        in_: list[SearchBodyInItem] | Unset = UNSET
        if _in_ is not UNSET:
            in_ = []
            for in_item_data in _in_:
                in_item = check_search_body_in_item(in_item_data)

                in_.append(in_item)

        conversation_id = d.pop("conversation_id", UNSET)

        exclude_conversation = d.pop("exclude_conversation", UNSET)

        agent_id = d.pop("agent_id", UNSET)

        user_id = d.pop("user_id", UNSET)

        _visibility = d.pop("visibility", UNSET)
        visibility: list[SearchBodyVisibilityItem] | Unset = UNSET
        if _visibility is not UNSET:
            visibility = []
            for visibility_item_data in _visibility:
                visibility_item = check_search_body_visibility_item(visibility_item_data)

                visibility.append(visibility_item)

        tags_any = cast(list[str], d.pop("tags_any", UNSET))

        tags_all = cast(list[str], d.pop("tags_all", UNSET))

        _roles = d.pop("roles", UNSET)
        roles: list[MessageRole] | Unset = UNSET
        if _roles is not UNSET:
            roles = []
            for roles_item_data in _roles:
                roles_item = check_message_role(roles_item_data)

                roles.append(roles_item)

        names = cast(list[str], d.pop("names", UNSET))

        _entities = d.pop("entities", UNSET)
        entities: list[SearchBodyEntitiesItem] | Unset = UNSET
        if _entities is not UNSET:
            entities = []
            for entities_item_data in _entities:
                entities_item = SearchBodyEntitiesItem.from_dict(entities_item_data)

                entities.append(entities_item)

        metadata = d.pop("metadata", UNSET)

        created_after = d.pop("created_after", UNSET)

        created_before = d.pop("created_before", UNSET)

        def _parse_as_of(data: object) -> str | Unset:
            if isinstance(data, Unset):
                return data
            return cast(str | Unset, data)

        as_of = _parse_as_of(d.pop("as_of", UNSET))

        _neighbors = d.pop("neighbors", UNSET)
        neighbors: SearchBodyNeighbors | Unset
        if isinstance(_neighbors, Unset):
            neighbors = UNSET
        else:
            neighbors = SearchBodyNeighbors.from_dict(_neighbors)

        _priors = d.pop("priors", UNSET)
        priors: list[SearchBodyPriorsItem] | Unset = UNSET
        if _priors is not UNSET:
            priors = []
            for priors_item_data in _priors:
                priors_item = check_search_body_priors_item(priors_item_data)

                priors.append(priors_item)

        valid_at = d.pop("valid_at", UNSET)

        explain = d.pop("explain", UNSET)

        rerank = d.pop("rerank", UNSET)

        min_relevance = d.pop("min_relevance", UNSET)

        keep_best = d.pop("keep_best", UNSET)

        def _parse_record(data: object) -> bool | SearchBodyRecordType1 | Unset:
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                record_type_1 = SearchBodyRecordType1.from_dict(data)

                return record_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(bool | SearchBodyRecordType1 | Unset, data)

        record = _parse_record(d.pop("record", UNSET))

        max_tokens = d.pop("max_tokens", UNSET)

        search_body = cls(
            query=query,
            exclude=exclude,
            mode=mode,
            limit=limit,
            in_=in_,
            conversation_id=conversation_id,
            exclude_conversation=exclude_conversation,
            agent_id=agent_id,
            user_id=user_id,
            visibility=visibility,
            tags_any=tags_any,
            tags_all=tags_all,
            roles=roles,
            names=names,
            entities=entities,
            metadata=metadata,
            created_after=created_after,
            created_before=created_before,
            as_of=as_of,
            neighbors=neighbors,
            priors=priors,
            valid_at=valid_at,
            explain=explain,
            rerank=rerank,
            min_relevance=min_relevance,
            keep_best=keep_best,
            record=record,
            max_tokens=max_tokens,
        )

        return search_body
