# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_memory import NewMemory


T = TypeVar("T", bound="CreateMemoriesBody")


@_attrs_define
class CreateMemoriesBody:
    memories: list[NewMemory]
    """ Memories to store: 1 to 1,000, and in total at most 2,097,152 bytes (content as UTF-8, everything else as
    JSON). """
    wait: Literal["indexed"] | Unset = UNSET
    """ `indexed`: delay the response until the vector store has accepted the vectors of the memory, but for at most
    25 seconds. Semantic search finds the memory some seconds after that, or at once if the service runs on a single
    machine. A bulk capture waits for at most 25 of its memories. `getMemory` shows whether each chunk is indexed.
    Default: respond without waiting. """

    def to_dict(self) -> dict[str, Any]:
        memories = []
        for memories_item_data in self.memories:
            memories_item = memories_item_data.to_dict()
            memories.append(memories_item)

        wait = self.wait

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "memories": memories,
            }
        )
        if wait is not UNSET:
            field_dict["wait"] = wait

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.new_memory import NewMemory  # noqa: PLC0415

        d = dict(src_dict)
        memories = []
        _memories = d.pop("memories")
        for memories_item_data in _memories:
            memories_item = NewMemory.from_dict(memories_item_data)

            memories.append(memories_item)

        wait = cast(Literal["indexed"] | Unset, d.pop("wait", UNSET))
        if wait != "indexed" and not isinstance(wait, Unset):
            raise ValueError(f"wait must match const 'indexed', got '{wait}'")

        create_memories_body = cls(
            memories=memories,
            wait=wait,
        )

        return create_memories_body
