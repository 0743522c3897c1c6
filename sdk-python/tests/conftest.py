"""The tests use a running service: ENGRAM_URL, and its admin token in ENGRAM_ADMIN_TOKEN or in the file TOKEN_FILE."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from engram_memories import AsyncEngram, Engram

from .fault_server import FaultServer


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def operator() -> Engram:
    token = os.environ.get("ENGRAM_ADMIN_TOKEN") or Path(os.environ["TOKEN_FILE"]).read_text().strip()
    return Engram(api_key=token)


@pytest.fixture
def key(operator: Engram) -> str:
    """A key of an organization of its own."""
    return operator.organizations.create(name="Python").key.secret


@pytest.fixture
def engram(key: str) -> Iterator[Engram]:
    with Engram(api_key=key) as client:
        yield client


@pytest.fixture
async def async_engram(key: str) -> AsyncIterator[AsyncEngram]:
    async with AsyncEngram(api_key=key) as client:
        yield client


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    """A server that fails as a test says. Retries do not wait."""
    monkeypatch.setattr("random.random", lambda: 0.0)
    with FaultServer() as server:
        yield server
