# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ReplayDifferenceChange = Literal["added", "changed", "missing", "moved"]


def check_replay_difference_change(value: str) -> ReplayDifferenceChange:
    return cast(ReplayDifferenceChange, value)
