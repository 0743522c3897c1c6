# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any

from ...._http import AsyncHttp, Http
from ...models.context_answer import ContextAnswer
from ...models.context_body_layout import ContextBodyLayout
from ...models.context_body_record_type_1 import ContextBodyRecordType1
from ...models.context_body_shares import ContextBodyShares
from ...models.context_body_visibility_item import ContextBodyVisibilityItem
from ...models.import_operation import ImportOperation
from ...models.message_role import MessageRole
from ...models.search_answer import SearchAnswer
from ...models.search_body_entities_item import SearchBodyEntitiesItem
from ...models.search_body_in_item import SearchBodyInItem
from ...models.search_body_mode import SearchBodyMode
from ...models.search_body_neighbors import SearchBodyNeighbors
from ...models.search_body_priors_item import SearchBodyPriorsItem
from ...models.search_body_record_type_1 import SearchBodyRecordType1
from ...models.search_body_visibility_item import SearchBodyVisibilityItem
from ...types import UNSET, Unset
from . import create_import as _create_import
from . import get_context as _get_context
from . import search as _search


class ClientResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def search(
        self,
        *,
        query: str,
        exclude: Sequence[str] | Unset = UNSET,
        mode: SearchBodyMode | Unset = UNSET,
        limit: int | Unset = UNSET,
        in_: Sequence[SearchBodyInItem] | Unset = UNSET,
        conversation_id: str | Unset = UNSET,
        exclude_conversation: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
        visibility: Sequence[SearchBodyVisibilityItem] | Unset = UNSET,
        tags_any: Sequence[str] | Unset = UNSET,
        tags_all: Sequence[str] | Unset = UNSET,
        roles: Sequence[MessageRole] | Unset = UNSET,
        names: Sequence[str] | Unset = UNSET,
        entities: Sequence[SearchBodyEntitiesItem | Mapping[str, Any]] | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        as_of: str | Unset = UNSET,
        neighbors: SearchBodyNeighbors | Mapping[str, Any] | Unset = UNSET,
        priors: Sequence[SearchBodyPriorsItem] | Unset = UNSET,
        valid_at: str | Unset = UNSET,
        explain: bool | Unset = UNSET,
        rerank: bool | Unset = UNSET,
        min_relevance: float | Unset = UNSET,
        keep_best: int | Unset = UNSET,
        record: bool | SearchBodyRecordType1 | Mapping[str, Any] | Unset = UNSET,
        max_tokens: int | Unset = UNSET,
    ) -> SearchAnswer:
        """Search conversations and memories.

        Finds messages by meaning and by keywords, best first, each with its neighbors, and memories if `in`
        includes them. Memories that have ended, or not begun, come last. Filters apply before ranking. Keyword
        search finds a message as soon as it is stored, semantic search once its vector is stored, within
        seconds. Case, accents and, in English and more than 20 other languages, the endings of words make no
        difference to keyword search.

        Needs the scope `search`.

        Args:
            query: A question, words or code. A hyphen excludes nothing, so `rm -rf dist` finds the command. In
                `keyword` mode, every match contains each `"quoted phrase"` of the query. In `hybrid` mode,
                messages and memories that contain a quoted phrase rank higher. In a query of several lines,
                quotes have no meaning. Limits: 48 distinct words (of more, the longest are used), 16 phrases
                (of more, the first are used), 32 words per phrase. A longer phrase counts as plain words; in
                `keyword` mode it is rejected with 400.
            exclude: Words or phrases that no match has. They count in every mode and in any form of the words.
                At most 16, of 32 words each. A phrase needs no quotes. Messages near a match may contain them.
            mode: `semantic` searches by meaning, `keyword` by keywords, `hybrid` by both.
            limit: Maximum number of results.
            in_: What to search: `conversations`, `memories` or both in one ranking. `summaries` searches
                conversations, too, and returns with each result the summaries of its best match: they come with
                the messages that they cite and never rank above them. They are those of today, so `as_of`
                excludes `summaries`. The filters by agent, user, tags, metadata and time apply to memories too.
                The filters that only conversations have (`conversation_id`, `roles`, `names`, `entities`)
                exclude all memories.
            conversation_id: Only this conversation.
            exclude_conversation: Id or `external_id` of a conversation to leave out, such as the one whose
                messages the prompt has already. Its messages take the place of no result. Memories that cite it
                are searched.
            agent_id: Only data of this agent.
            user_id: Only data of this user. What is shared matches, too; other data without a user does not.
            visibility: Which conversations and memories are searched: those that are not shared (`own`), the
                shared ones (`shared`), or both. Default: both.
            tags_any: Only conversations and memories with any of these tags.
            tags_all: Only conversations and memories with all of these tags.
            roles: Only matches with these roles.
            names: Only matches whose speaker has one of these names.
            entities: Only matches that mention at least one of these entities. A message is compared once it is
                indexed, within seconds.
            metadata: Only conversations and memories whose `metadata` has these keys and values. They are
                compared at its top level. At most 16 keys.
            created_after: Only matches at or after this time.
            created_before: Only matches before this time.
            as_of: Only what was stored at a moment of the past: a time, or a message as the id of its
                conversation, `:` and its sequence number. Matches are found and ranked by what is stored and
                indexed today. What was changed since has `edited_since`.
            neighbors: How many neighbors of each match to return: the messages around it. Filters do not apply
                to them.
            priors: Adjustments of the scores, in addition to words and meaning. All but `hidden` apply in
                `hybrid` mode only. Default: all of them; `[]` for none. `answer`: a message after a question
                that matches the query ranks higher. `question`: a short question ranks lower. Both count less,
                the longer the messages are on average, and not at all from 180 words. `time`: if the query asks
                when, a message that contains a time ranks higher. `number`: if the query asks how many, a
                message that contains a number ranks higher. `date`: if the query names a day, week, month or
                year, a message said then or soon after ranks higher. `last week` counts from `created_before`,
                or from now. Of a day such as 3/12, both readings count half, unless the language of the query
                or another date tells which is meant. `speaker`: if the query names a speaker of a conversation
                of two, messages by the other rank lower. `hidden`: a message with the role `system` and
                `hidden: true` in its `metadata`, such as the hidden context of an imported chat, ranks after
                all others.
            valid_at: Time at which memories should hold. Memories that do not hold then, because they have
                ended or not begun, rank below all other results. Default: now.
            explain: Whether to return the components of each match's score, as `explanation`. Default `false`.
            rerank: Whether to order the 50 best matches again with a model that reads query and text together.
                More accurate but slower, usually by a few hundred milliseconds. Default `false`.
            min_relevance: Lowest `relevance`, 0 to 1. Results below it are left out and counted in
                `below_min_relevance`. Default: 0, which leaves out none.
            keep_best: Number of best results that are kept although their `relevance` is below `min_relevance`:
                in a small store, an answer in other words than the question has a low relevance. A result with
                the relevance 0 is never kept. At most 10. Default 0.
            record: Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and
                hashes of the items, but no content. `true`, or an object with your own `run_id` and `metadata`
                for it. Default `false`.
            max_tokens: Maximum tokens of the results. Only their content counts, as in `tokens`. Messages and
                memories are chosen one by one: the best matches up to half of the limit, then the best match of
                each other result up to 70 %, then the nearest neighbors of these, then further matches. At
                first, a match has at most 300 tokens: a longer one is cut to the part with the most matching
                words, a memory to the chunk that matches. What is left makes cut matches longer, the best one
                first. A result is left out, and counted in `omitted`, if none of its messages fits. Default: no
                limit.
        """
        return self._http.call(
            _search.request(
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
        )

    def context(
        self,
        *,
        query: str | Unset = UNSET,
        conversation_id: str | Unset = UNSET,
        exclude_conversation: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
        visibility: Sequence[ContextBodyVisibilityItem] | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        as_of: str | Unset = UNSET,
        record: bool | ContextBodyRecordType1 | Mapping[str, Any] | Unset = UNSET,
        max_tokens: int | Unset = UNSET,
        valid_at: str | Unset = UNSET,
        shares: ContextBodyShares | Mapping[str, Any] | Unset = UNSET,
        layout: ContextBodyLayout | Unset = UNSET,
        previous: str | None | Unset = UNSET,
        min_relevance: float | Unset = UNSET,
    ) -> ContextAnswer:
        """Get the context for an answer.

        Gathers what a model needs for its next answer in one text of at most `max_tokens`, and returns the same
        as lists: the newest messages of a conversation, memories, and what a search finds. Each has its id, and
        nothing is included twice. The search considers the 20 best results in conversations, and as many
        memories. The parts share the budget, and what did not fit is counted. All parts are read at the same
        time, so it takes about as long as one search.

        Needs the scope `search`.

        Args:
            query: What the model is about to answer, such as the user's last message. It is searched in
                conversations and memories as `search` does. Default: no search.
            conversation_id: Conversation that is being continued. Its newest messages are included. It counts
                as absent if it belongs to another user or agent than the request names.
            exclude_conversation: Id or `external_id` of a conversation to leave out of the search results, such
                as the one whose messages the prompt has already. With `shares.messages` 0, the context then has
                none of its messages.
            user_id: Only memories and search results of this user; shared ones match, too. The newest of these
                memories are included.
            visibility: Which memories and search results are included: those that are not shared (`own`), the
                shared ones (`shared`), or both. Default: both. With `shared` alone, the newest shared memories
                are included without a user, too.
            agent_id: Only memories and search results of this agent. With `user_id`, both must match. The
                newest memories are included.
            metadata: Only memories and search results whose `metadata` has these keys and values: the metadata
                of the memory, or of the conversation. They are compared at its top level. At most 16 keys. The
                newest messages of `conversation_id` are included in any case.
            as_of: Answer as of a moment of the past, with what was stored by then: a time, or a message as the
                id of its conversation, `:` and its sequence number, for the moment at which this message was
                stored. What was deleted since stays deleted. What was changed since is returned as it is today,
                and has `edited_since`.
            record: Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and
                hashes of the items, but no content. `true`, or an object with your own `run_id` and `metadata`
                for it. Default `false`.
            max_tokens: Maximum tokens of `text`, also if it is sent as a JSON string. Tokens are counted as in
                `tokens`.
            valid_at: Time at which memories should hold. Memories that do not hold then, because they have
                ended or not begun, come after all others, and `text` marks them. Default: now.
            shares: How the parts divide `max_tokens`, in proportion to their weights. What a part does not
                need, the others get. A part with the weight 0 is left out.
            layout: `single`: one text, made anew for each request. `stable`: also the two texts of which it
                consists, for providers that cache what a prompt begins with. `stable` is to be sent before the
                conversation, and keeps its bytes from request to request; `dynamic` is to be sent after it.
            previous: With the layout `stable`: `stable_id` of the context before, whose stable part this one
                continues. Default: none, so that the stable part begins anew. Ignored with the layout `single`.
            min_relevance: Lowest `relevance` of a search result, 0 to 1. Results below it are left out and
                counted. Default: 0.005, but the 3 best memories are kept whatever their relevance, and `text`
                marks those below it with "low relevance".
        """
        return self._http.call(
            _get_context.request(
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
        )

    def create_import(
        self,
        *,
        lines: int | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ImportOperation:
        """Begin an import in several requests.

        Creates an operation for an import that is too large for one request. Then send the lines to
        `importLines` in parts, in order. Each of these requests has the `operation_id` and, as `after_line`,
        the number of lines sent before it; the last one has `last=true`. The operation counts the lines, so
        that an interrupted import can be resumed. If you did not receive the response to a part, send the same
        part again to get its result. `cancelOperation` cancels the import: stored items stay, and no further
        lines are accepted. An import that is not complete after 7 days is canceled.

        Needs the scope `admin`.

        Args:
            lines: Total number of lines of the import, if you know it. It becomes `progress.total` of the
                operation.
        """
        return self._http.call(
            _create_import.request(
                lines=lines,
                idempotency_key=idempotency_key,
            )
        )


class AsyncClientResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def search(
        self,
        *,
        query: str,
        exclude: Sequence[str] | Unset = UNSET,
        mode: SearchBodyMode | Unset = UNSET,
        limit: int | Unset = UNSET,
        in_: Sequence[SearchBodyInItem] | Unset = UNSET,
        conversation_id: str | Unset = UNSET,
        exclude_conversation: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
        visibility: Sequence[SearchBodyVisibilityItem] | Unset = UNSET,
        tags_any: Sequence[str] | Unset = UNSET,
        tags_all: Sequence[str] | Unset = UNSET,
        roles: Sequence[MessageRole] | Unset = UNSET,
        names: Sequence[str] | Unset = UNSET,
        entities: Sequence[SearchBodyEntitiesItem | Mapping[str, Any]] | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        as_of: str | Unset = UNSET,
        neighbors: SearchBodyNeighbors | Mapping[str, Any] | Unset = UNSET,
        priors: Sequence[SearchBodyPriorsItem] | Unset = UNSET,
        valid_at: str | Unset = UNSET,
        explain: bool | Unset = UNSET,
        rerank: bool | Unset = UNSET,
        min_relevance: float | Unset = UNSET,
        keep_best: int | Unset = UNSET,
        record: bool | SearchBodyRecordType1 | Mapping[str, Any] | Unset = UNSET,
        max_tokens: int | Unset = UNSET,
    ) -> SearchAnswer:
        """Search conversations and memories.

        Finds messages by meaning and by keywords, best first, each with its neighbors, and memories if `in`
        includes them. Memories that have ended, or not begun, come last. Filters apply before ranking. Keyword
        search finds a message as soon as it is stored, semantic search once its vector is stored, within
        seconds. Case, accents and, in English and more than 20 other languages, the endings of words make no
        difference to keyword search.

        Needs the scope `search`.

        Args:
            query: A question, words or code. A hyphen excludes nothing, so `rm -rf dist` finds the command. In
                `keyword` mode, every match contains each `"quoted phrase"` of the query. In `hybrid` mode,
                messages and memories that contain a quoted phrase rank higher. In a query of several lines,
                quotes have no meaning. Limits: 48 distinct words (of more, the longest are used), 16 phrases
                (of more, the first are used), 32 words per phrase. A longer phrase counts as plain words; in
                `keyword` mode it is rejected with 400.
            exclude: Words or phrases that no match has. They count in every mode and in any form of the words.
                At most 16, of 32 words each. A phrase needs no quotes. Messages near a match may contain them.
            mode: `semantic` searches by meaning, `keyword` by keywords, `hybrid` by both.
            limit: Maximum number of results.
            in_: What to search: `conversations`, `memories` or both in one ranking. `summaries` searches
                conversations, too, and returns with each result the summaries of its best match: they come with
                the messages that they cite and never rank above them. They are those of today, so `as_of`
                excludes `summaries`. The filters by agent, user, tags, metadata and time apply to memories too.
                The filters that only conversations have (`conversation_id`, `roles`, `names`, `entities`)
                exclude all memories.
            conversation_id: Only this conversation.
            exclude_conversation: Id or `external_id` of a conversation to leave out, such as the one whose
                messages the prompt has already. Its messages take the place of no result. Memories that cite it
                are searched.
            agent_id: Only data of this agent.
            user_id: Only data of this user. What is shared matches, too; other data without a user does not.
            visibility: Which conversations and memories are searched: those that are not shared (`own`), the
                shared ones (`shared`), or both. Default: both.
            tags_any: Only conversations and memories with any of these tags.
            tags_all: Only conversations and memories with all of these tags.
            roles: Only matches with these roles.
            names: Only matches whose speaker has one of these names.
            entities: Only matches that mention at least one of these entities. A message is compared once it is
                indexed, within seconds.
            metadata: Only conversations and memories whose `metadata` has these keys and values. They are
                compared at its top level. At most 16 keys.
            created_after: Only matches at or after this time.
            created_before: Only matches before this time.
            as_of: Only what was stored at a moment of the past: a time, or a message as the id of its
                conversation, `:` and its sequence number. Matches are found and ranked by what is stored and
                indexed today. What was changed since has `edited_since`.
            neighbors: How many neighbors of each match to return: the messages around it. Filters do not apply
                to them.
            priors: Adjustments of the scores, in addition to words and meaning. All but `hidden` apply in
                `hybrid` mode only. Default: all of them; `[]` for none. `answer`: a message after a question
                that matches the query ranks higher. `question`: a short question ranks lower. Both count less,
                the longer the messages are on average, and not at all from 180 words. `time`: if the query asks
                when, a message that contains a time ranks higher. `number`: if the query asks how many, a
                message that contains a number ranks higher. `date`: if the query names a day, week, month or
                year, a message said then or soon after ranks higher. `last week` counts from `created_before`,
                or from now. Of a day such as 3/12, both readings count half, unless the language of the query
                or another date tells which is meant. `speaker`: if the query names a speaker of a conversation
                of two, messages by the other rank lower. `hidden`: a message with the role `system` and
                `hidden: true` in its `metadata`, such as the hidden context of an imported chat, ranks after
                all others.
            valid_at: Time at which memories should hold. Memories that do not hold then, because they have
                ended or not begun, rank below all other results. Default: now.
            explain: Whether to return the components of each match's score, as `explanation`. Default `false`.
            rerank: Whether to order the 50 best matches again with a model that reads query and text together.
                More accurate but slower, usually by a few hundred milliseconds. Default `false`.
            min_relevance: Lowest `relevance`, 0 to 1. Results below it are left out and counted in
                `below_min_relevance`. Default: 0, which leaves out none.
            keep_best: Number of best results that are kept although their `relevance` is below `min_relevance`:
                in a small store, an answer in other words than the question has a low relevance. A result with
                the relevance 0 is never kept. At most 10. Default 0.
            record: Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and
                hashes of the items, but no content. `true`, or an object with your own `run_id` and `metadata`
                for it. Default `false`.
            max_tokens: Maximum tokens of the results. Only their content counts, as in `tokens`. Messages and
                memories are chosen one by one: the best matches up to half of the limit, then the best match of
                each other result up to 70 %, then the nearest neighbors of these, then further matches. At
                first, a match has at most 300 tokens: a longer one is cut to the part with the most matching
                words, a memory to the chunk that matches. What is left makes cut matches longer, the best one
                first. A result is left out, and counted in `omitted`, if none of its messages fits. Default: no
                limit.
        """
        return await self._http.call(
            _search.request(
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
        )

    async def context(
        self,
        *,
        query: str | Unset = UNSET,
        conversation_id: str | Unset = UNSET,
        exclude_conversation: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
        visibility: Sequence[ContextBodyVisibilityItem] | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        as_of: str | Unset = UNSET,
        record: bool | ContextBodyRecordType1 | Mapping[str, Any] | Unset = UNSET,
        max_tokens: int | Unset = UNSET,
        valid_at: str | Unset = UNSET,
        shares: ContextBodyShares | Mapping[str, Any] | Unset = UNSET,
        layout: ContextBodyLayout | Unset = UNSET,
        previous: str | None | Unset = UNSET,
        min_relevance: float | Unset = UNSET,
    ) -> ContextAnswer:
        """Get the context for an answer.

        Gathers what a model needs for its next answer in one text of at most `max_tokens`, and returns the same
        as lists: the newest messages of a conversation, memories, and what a search finds. Each has its id, and
        nothing is included twice. The search considers the 20 best results in conversations, and as many
        memories. The parts share the budget, and what did not fit is counted. All parts are read at the same
        time, so it takes about as long as one search.

        Needs the scope `search`.

        Args:
            query: What the model is about to answer, such as the user's last message. It is searched in
                conversations and memories as `search` does. Default: no search.
            conversation_id: Conversation that is being continued. Its newest messages are included. It counts
                as absent if it belongs to another user or agent than the request names.
            exclude_conversation: Id or `external_id` of a conversation to leave out of the search results, such
                as the one whose messages the prompt has already. With `shares.messages` 0, the context then has
                none of its messages.
            user_id: Only memories and search results of this user; shared ones match, too. The newest of these
                memories are included.
            visibility: Which memories and search results are included: those that are not shared (`own`), the
                shared ones (`shared`), or both. Default: both. With `shared` alone, the newest shared memories
                are included without a user, too.
            agent_id: Only memories and search results of this agent. With `user_id`, both must match. The
                newest memories are included.
            metadata: Only memories and search results whose `metadata` has these keys and values: the metadata
                of the memory, or of the conversation. They are compared at its top level. At most 16 keys. The
                newest messages of `conversation_id` are included in any case.
            as_of: Answer as of a moment of the past, with what was stored by then: a time, or a message as the
                id of its conversation, `:` and its sequence number, for the moment at which this message was
                stored. What was deleted since stays deleted. What was changed since is returned as it is today,
                and has `edited_since`.
            record: Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and
                hashes of the items, but no content. `true`, or an object with your own `run_id` and `metadata`
                for it. Default `false`.
            max_tokens: Maximum tokens of `text`, also if it is sent as a JSON string. Tokens are counted as in
                `tokens`.
            valid_at: Time at which memories should hold. Memories that do not hold then, because they have
                ended or not begun, come after all others, and `text` marks them. Default: now.
            shares: How the parts divide `max_tokens`, in proportion to their weights. What a part does not
                need, the others get. A part with the weight 0 is left out.
            layout: `single`: one text, made anew for each request. `stable`: also the two texts of which it
                consists, for providers that cache what a prompt begins with. `stable` is to be sent before the
                conversation, and keeps its bytes from request to request; `dynamic` is to be sent after it.
            previous: With the layout `stable`: `stable_id` of the context before, whose stable part this one
                continues. Default: none, so that the stable part begins anew. Ignored with the layout `single`.
            min_relevance: Lowest `relevance` of a search result, 0 to 1. Results below it are left out and
                counted. Default: 0.005, but the 3 best memories are kept whatever their relevance, and `text`
                marks those below it with "low relevance".
        """
        return await self._http.call(
            _get_context.request(
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
        )

    async def create_import(
        self,
        *,
        lines: int | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ImportOperation:
        """Begin an import in several requests.

        Creates an operation for an import that is too large for one request. Then send the lines to
        `importLines` in parts, in order. Each of these requests has the `operation_id` and, as `after_line`,
        the number of lines sent before it; the last one has `last=true`. The operation counts the lines, so
        that an interrupted import can be resumed. If you did not receive the response to a part, send the same
        part again to get its result. `cancelOperation` cancels the import: stored items stay, and no further
        lines are accepted. An import that is not complete after 7 days is canceled.

        Needs the scope `admin`.

        Args:
            lines: Total number of lines of the import, if you know it. It becomes `progress.total` of the
                operation.
        """
        return await self._http.call(
            _create_import.request(
                lines=lines,
                idempotency_key=idempotency_key,
            )
        )
