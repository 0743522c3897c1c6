# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.


from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.entity import Entity
from ...models.entity_page import EntityPage
from ...models.list_entities_kind import ListEntitiesKind
from ...models.list_entities_sort import ListEntitiesSort
from ...models.mention import Mention
from ...models.mention_page import MentionPage
from ...types import UNSET, Unset
from . import list_entities as _list_entities
from . import list_mentions as _list_mentions


class EntitiesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        sort: ListEntitiesSort | Unset = UNSET,
        kind: ListEntitiesKind | Unset = UNSET,
        prefix: str | Unset = UNSET,
        conversation_id: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
    ) -> List[Entity, EntityPage]:
        """List entities.

        Returns a page of the entities that messages mention, ordered by kind and folded value (in lower case
        and without accents) unless `sort` says otherwise. All filters must match. Entities are found when a
        message is indexed, by rules and without a model: at most 64 mentions in the first 100,000 characters of
        a message, the first ones. Messages that are edited or deleted lose their mentions at once. A key that
        is bound to an agent or a user sees and counts only mentions in its own conversations. A page may hold
        fewer items than `limit`, or none, without being the last, while conversations are being deleted:
        continue until `next_cursor` is null.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
            sort: `value`: by kind and folded value. `mentions`: by number of mentions, most first. This order
                counts at most 10,000 mentions, in the 1,000 conversations that changed last, and leaves out
                entities without one of these. An entity that is mentioned between two of your requests for
                pages may then be skipped or repeated.
            kind: Only entities of this kind.
            prefix: Only entities whose value starts with this text, without regard to case and accents.
            conversation_id: Only entities that this conversation mentions. Only its mentions are counted.
            agent_id: Only entities that conversations of this agent mention. Only their mentions are counted.
            user_id: Only entities that conversations with this user mention. Only their mentions are counted.
        """

        def fetch(cursor: str | None) -> EntityPage:
            return self._http.call(
                _list_entities.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                    sort=sort,
                    kind=kind,
                    prefix=prefix,
                    conversation_id=conversation_id,
                    agent_id=agent_id,
                    user_id=user_id,
                )
            )

        return List(fetch, cursor or None)

    def mentions(
        self,
        entity_id: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        conversation_id: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
    ) -> List[Mention, MentionPage]:
        """List the mentions of an entity.

        Returns a page of the mentions of an entity, by conversation, the oldest first, and in the order of its
        messages. Each has the place in the message and the exact text there. A key that is bound to an agent
        sees only mentions in its own conversations, one bound to a user also those in shared ones. A page may
        hold fewer items than `limit`, or none, without being the last, while conversations are being deleted:
        continue until `next_cursor` is null. If the conversation of a cursor was removed meanwhile, the cursor
        is invalid.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
            conversation_id: Only mentions in this conversation.
            agent_id: Only mentions in conversations of this agent.
            user_id: Only mentions in conversations with this user.
        """

        def fetch(cursor: str | None) -> MentionPage:
            return self._http.call(
                _list_mentions.request(
                    entity_id=entity_id,
                    limit=limit,
                    cursor=cursor or UNSET,
                    conversation_id=conversation_id,
                    agent_id=agent_id,
                    user_id=user_id,
                )
            )

        return List(fetch, cursor or None)


class AsyncEntitiesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        sort: ListEntitiesSort | Unset = UNSET,
        kind: ListEntitiesKind | Unset = UNSET,
        prefix: str | Unset = UNSET,
        conversation_id: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
    ) -> AsyncList[Entity, EntityPage]:
        """List entities.

        Returns a page of the entities that messages mention, ordered by kind and folded value (in lower case
        and without accents) unless `sort` says otherwise. All filters must match. Entities are found when a
        message is indexed, by rules and without a model: at most 64 mentions in the first 100,000 characters of
        a message, the first ones. Messages that are edited or deleted lose their mentions at once. A key that
        is bound to an agent or a user sees and counts only mentions in its own conversations. A page may hold
        fewer items than `limit`, or none, without being the last, while conversations are being deleted:
        continue until `next_cursor` is null.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
            sort: `value`: by kind and folded value. `mentions`: by number of mentions, most first. This order
                counts at most 10,000 mentions, in the 1,000 conversations that changed last, and leaves out
                entities without one of these. An entity that is mentioned between two of your requests for
                pages may then be skipped or repeated.
            kind: Only entities of this kind.
            prefix: Only entities whose value starts with this text, without regard to case and accents.
            conversation_id: Only entities that this conversation mentions. Only its mentions are counted.
            agent_id: Only entities that conversations of this agent mention. Only their mentions are counted.
            user_id: Only entities that conversations with this user mention. Only their mentions are counted.
        """

        async def fetch(cursor: str | None) -> EntityPage:
            return await self._http.call(
                _list_entities.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                    sort=sort,
                    kind=kind,
                    prefix=prefix,
                    conversation_id=conversation_id,
                    agent_id=agent_id,
                    user_id=user_id,
                )
            )

        return AsyncList(fetch, cursor or None)

    def mentions(
        self,
        entity_id: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        conversation_id: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
    ) -> AsyncList[Mention, MentionPage]:
        """List the mentions of an entity.

        Returns a page of the mentions of an entity, by conversation, the oldest first, and in the order of its
        messages. Each has the place in the message and the exact text there. A key that is bound to an agent
        sees only mentions in its own conversations, one bound to a user also those in shared ones. A page may
        hold fewer items than `limit`, or none, without being the last, while conversations are being deleted:
        continue until `next_cursor` is null. If the conversation of a cursor was removed meanwhile, the cursor
        is invalid.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
            conversation_id: Only mentions in this conversation.
            agent_id: Only mentions in conversations of this agent.
            user_id: Only mentions in conversations with this user.
        """

        async def fetch(cursor: str | None) -> MentionPage:
            return await self._http.call(
                _list_mentions.request(
                    entity_id=entity_id,
                    limit=limit,
                    cursor=cursor or UNSET,
                    conversation_id=conversation_id,
                    agent_id=agent_id,
                    user_id=user_id,
                )
            )

        return AsyncList(fetch, cursor or None)
