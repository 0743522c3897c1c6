# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

HoldFilterCorpus = Literal["conversations", "memories"]


def check_hold_filter_corpus(value: str) -> HoldFilterCorpus:
    return cast(HoldFilterCorpus, value)
