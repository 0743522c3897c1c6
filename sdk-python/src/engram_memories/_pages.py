"""Lists that are fetched page by page while they are read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

Item = TypeVar("Item")
ItemOut = TypeVar("ItemOut", covariant=True)


class Page(Protocol[ItemOut]):
    """A page of a list. It may have fewer items than requested, or none, although more pages follow."""

    @property
    def items(self) -> Sequence[ItemOut]: ...
    @property
    def next_cursor(self) -> str | None: ...


P = TypeVar("P", bound=Page[object])


class List(Generic[Item, P]):
    """A list of items. Nothing is sent before reading starts, and each iteration starts over.

    `for item in engram.conversations.list(): …` reads all items.
    """

    def __init__(self, fetch: Callable[[str | None], P], cursor: str | None) -> None:
        self._fetch = fetch
        self._cursor = cursor

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.items  # type: ignore[misc]

    def pages(self) -> Iterator[P]:
        """Every page. A page is fetched when iteration reaches it."""
        cursor = self._cursor
        while True:
            page = self._fetch(cursor)
            yield page
            cursor = page.next_cursor
            if cursor is None:
                return

    def page(self) -> P:
        """A single page: the first, or the one that `cursor` selects."""
        return self._fetch(self._cursor)

    def to_list(self, *, max: int) -> list[Item]:
        """The first `max` items, or all if there are fewer."""
        items: list[Item] = []
        if max <= 0:
            return items
        for item in self:
            items.append(item)
            if len(items) >= max:
                break
        return items


class AsyncList(Generic[Item, P]):
    """A list of items. Nothing is sent before reading starts, and each iteration starts over.

    `async for item in engram.conversations.list(): …` reads all items.
    """

    def __init__(self, fetch: Callable[[str | None], Awaitable[P]], cursor: str | None) -> None:
        self._fetch = fetch
        self._cursor = cursor

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.items:
                yield item  # type: ignore[misc]

    async def pages(self) -> AsyncIterator[P]:
        """Every page. A page is fetched when iteration reaches it."""
        cursor = self._cursor
        while True:
            page = await self._fetch(cursor)
            yield page
            cursor = page.next_cursor
            if cursor is None:
                return

    async def page(self) -> P:
        """A single page: the first, or the one that `cursor` selects."""
        return await self._fetch(self._cursor)

    async def to_list(self, *, max: int) -> list[Item]:
        """The first `max` items, or all if there are fewer."""
        items: list[Item] = []
        if max <= 0:
            return items
        async for item in self:
            items.append(item)
            if len(items) >= max:
                break
        return items
