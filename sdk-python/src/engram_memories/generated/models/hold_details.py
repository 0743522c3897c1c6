# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.hold_details_status import HoldDetailsStatus, check_hold_details_status

if TYPE_CHECKING:
    from ..models.hold_filter import HoldFilter


T = TypeVar("T", bound="HoldDetails")


@_attrs_define
class HoldDetails:
    """A legal hold with what it holds."""

    id: str
    """ Id of a legal hold. """
    status: HoldDetailsStatus
    """ `active` until the hold is lifted. """
    reason: str
    """ Why the hold exists, such as the number of a case. At most 256 characters. """
    filter: HoldFilter | None
    """ What is held; null if the hold names ids. """
    item_count: int | None
    """ Number of ids that the hold names; null if it has a filter. """
    created_at: str
    """ Time from which it holds. """
    created_by: str
    """ Id of the API key, or of the member, that did it. """
    lifted_at: None | str
    """ Time when it was lifted; null while it is active. """
    lifted_by: None | str
    """ Id of the API key, or of the member, that lifted it; null while it is active. """
    ids: list[str] | None
    """ The ids that it names; null if it has a filter. """
    conversations: int
    """ Number of conversations that it holds now. 0 once it is lifted. """
    memories: int
    """ Number of memories that it holds now. 0 once it is lifted. """
    complete: bool
    """ Whether all items were counted. `false`: there are more than one request reads, and the numbers are of the
    first ones. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.hold_filter import HoldFilter  # noqa: PLC0415

        id = self.id

        status: str = self.status

        reason = self.reason

        filter: dict[str, Any] | None
        if isinstance(self.filter, HoldFilter):
            filter = self.filter.to_dict()
        else:
            filter = self.filter

        item_count: int | None
        item_count = self.item_count

        created_at = self.created_at

        created_by = self.created_by

        lifted_at: None | str
        lifted_at = self.lifted_at

        lifted_by: None | str
        lifted_by = self.lifted_by

        ids: list[str] | None
        if isinstance(self.ids, list):
            ids = self.ids

        else:
            ids = self.ids

        conversations = self.conversations

        memories = self.memories

        complete = self.complete

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "status": status,
                "reason": reason,
                "filter": filter,
                "item_count": item_count,
                "created_at": created_at,
                "created_by": created_by,
                "lifted_at": lifted_at,
                "lifted_by": lifted_by,
                "ids": ids,
                "conversations": conversations,
                "memories": memories,
                "complete": complete,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.hold_filter import HoldFilter  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        status = check_hold_details_status(d.pop("status"))

        reason = d.pop("reason")

        def _parse_filter(data: object) -> HoldFilter | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                filter_type_0 = HoldFilter.from_dict(data)

                return filter_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(HoldFilter | None, data)

        filter = _parse_filter(d.pop("filter"))

        def _parse_item_count(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        item_count = _parse_item_count(d.pop("item_count"))

        created_at = d.pop("created_at")

        created_by = d.pop("created_by")

        def _parse_lifted_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        lifted_at = _parse_lifted_at(d.pop("lifted_at"))

        def _parse_lifted_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        lifted_by = _parse_lifted_by(d.pop("lifted_by"))

        def _parse_ids(data: object) -> list[str] | None:
            if data is None:
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                ids_type_0 = cast(list[str], data)

                return ids_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None, data)

        ids = _parse_ids(d.pop("ids"))

        conversations = d.pop("conversations")

        memories = d.pop("memories")

        complete = d.pop("complete")

        hold_details = cls(
            id=id,
            status=status,
            reason=reason,
            filter=filter,
            item_count=item_count,
            created_at=created_at,
            created_by=created_by,
            lifted_at=lifted_at,
            lifted_by=lifted_by,
            ids=ids,
            conversations=conversations,
            memories=memories,
            complete=complete,
        )

        return hold_details
