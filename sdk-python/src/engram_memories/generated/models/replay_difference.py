# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

from ..models.replay_difference_cause import ReplayDifferenceCause, check_replay_difference_cause
from ..models.replay_difference_change import ReplayDifferenceChange, check_replay_difference_change
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.recalled_item import RecalledItem


T = TypeVar("T", bound="ReplayDifference")


@_attrs_define
class ReplayDifference:
    """An item that differs, and why: `before` in the receipt, unless it was added, and `now` in the new answer, unless it
    is missing.

    """

    change: ReplayDifferenceChange
    """ `missing`: only the receipt has the item. `added`: only the new answer has it. `changed`: both have it, with
    different content, or cut differently. `moved`: both have it with the same content, but in another order among
    the items of both. """
    cause: ReplayDifferenceCause
    """ Why. What happened to the item itself comes first: it was `deleted`, deleted with `forgotten` as its
    tombstone says, `edited` (content, tags, metadata or times), or is `newer` than the receipt. Otherwise what
    concerns the whole search: `rules_changed`, `reembedded` (another embedding model), `degraded` (one of the two
    searches could not take everything into account) or `indexed` (semantic search has found more since, which the
    receipt counts as `pending`). Otherwise, the item gave way to an item with one of the first four causes, and has
    its cause. `others_changed` is left: items that neither answer has were stored, changed or deleted, and scores
    depend on how frequent words are. """
    before: RecalledItem | Unset = UNSET
    """ An item of an answer, without its content. """
    now: RecalledItem | Unset = UNSET
    """ An item of an answer, without its content. """

    def to_dict(self) -> dict[str, Any]:
        change: str = self.change

        cause: str = self.cause

        before: dict[str, Any] | Unset = UNSET
        if not isinstance(self.before, Unset):
            before = self.before.to_dict()

        now: dict[str, Any] | Unset = UNSET
        if not isinstance(self.now, Unset):
            now = self.now.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "change": change,
                "cause": cause,
            }
        )
        if before is not UNSET:
            field_dict["before"] = before
        if now is not UNSET:
            field_dict["now"] = now

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.recalled_item import RecalledItem  # noqa: PLC0415

        d = dict(src_dict)
        change = check_replay_difference_change(d.pop("change"))

        cause = check_replay_difference_cause(d.pop("cause"))

        _before = d.pop("before", UNSET)
        before: RecalledItem | Unset
        if isinstance(_before, Unset):
            before = UNSET
        else:
            before = RecalledItem.from_dict(_before)

        _now = d.pop("now", UNSET)
        now: RecalledItem | Unset
        if isinstance(_now, Unset):
            now = UNSET
        else:
            now = RecalledItem.from_dict(_now)

        replay_difference = cls(
            change=change,
            cause=cause,
            before=before,
            now=now,
        )

        return replay_difference
