"""Lists fetch their pages as they are read."""

from __future__ import annotations

import pytest

from engram_memories import AsyncEngram, Engram


def test_reads_all_pages(engram: Engram) -> None:
    titles = [f"{number:02}" for number in range(7)]
    for title in titles:
        engram.conversations.create(title=title, tags=["x"], metadata={"ticket": title, "n": 1})
    listed = engram.conversations.list(limit=3, sort="created_at", order="asc", tags_any=["x", "y"])
    assert [each.title for each in listed] == titles
    assert [len(page.items) for page in listed.pages()] == [3, 3, 1]
    assert [each.title for each in listed.to_list(max=4)] == titles[:4]
    assert listed.to_list(max=0) == []
    first = engram.conversations.list(limit=3, order="asc", include_total=True).page()
    assert first.total == 7
    assert [each.title for each in engram.conversations.list(metadata={"ticket": "03", "n": 1})] == ["03"]


@pytest.mark.anyio
async def test_reads_all_pages_with_await(engram: Engram, async_engram: AsyncEngram) -> None:
    for number in range(5):
        engram.memories.create(content=f"note {number}")
    listed = async_engram.memories.list(limit=2, order="asc")
    assert [each.content async for each in listed] == [f"note {number}" for number in range(5)]
    assert [len(page.items) async for page in listed.pages()] == [2, 2, 1]
    assert len(await listed.to_list(max=3)) == 3
    assert len((await listed.page()).items) == 2
