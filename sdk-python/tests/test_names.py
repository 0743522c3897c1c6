"""The client has the methods of the TypeScript SDK under the same names, in snake_case."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engram_memories import AsyncEngram, Engram

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = json.loads((ROOT / "spec/openapi.json").read_text())
CALL = re.compile(r"\b(?:engram|operator|other)\.((?:\w+\.)?\w+)\(")
NAMES = {
    re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()
    for operations in DOCUMENT["paths"].values()
    for operation in operations.values()
    for sample in operation["x-codeSamples"]
    for name in CALL.findall(sample["source"])
}
LEFT_OUT = {"archives.lines", "archives.part_lines", "sign_in_codes.redeem"}


@pytest.mark.parametrize("client", [Engram, AsyncEngram])
def test_has_every_method(client: type) -> None:
    instance = client(base_url="http://127.0.0.1:1", api_key="k")
    missing = set()
    for name in NAMES:
        at = instance
        for part in name.split("."):
            at = getattr(at, part, None) or getattr(at, f"{part}_", None)
        if not callable(at):
            missing.add(name)
    assert missing <= LEFT_OUT
