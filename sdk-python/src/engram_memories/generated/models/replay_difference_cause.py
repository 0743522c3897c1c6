# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ReplayDifferenceCause = Literal[
    "degraded", "deleted", "edited", "forgotten", "indexed", "newer", "others_changed", "reembedded", "rules_changed"
]


def check_replay_difference_cause(value: str) -> ReplayDifferenceCause:
    return cast(ReplayDifferenceCause, value)
