# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.import_problem import ImportProblem
    from ..models.imported_lines_conversations import ImportedLinesConversations
    from ..models.imported_lines_memories import ImportedLinesMemories
    from ..models.imported_lines_memory_versions import ImportedLinesMemoryVersions
    from ..models.imported_lines_messages import ImportedLinesMessages
    from ..models.imported_lines_recalls import ImportedLinesRecalls
    from ..models.skipped_line import SkippedLine


T = TypeVar("T", bound="ImportedLines")


@_attrs_define
class ImportedLines:
    conversations: ImportedLinesConversations
    messages: ImportedLinesMessages
    memories: ImportedLinesMemories
    memory_versions: ImportedLinesMemoryVersions
    recalls: ImportedLinesRecalls
    problems: list[ImportProblem]
    """ Lines that were refused, in order. Empty if there were none. """
    skipped: list[SkippedLine]
    """ Lines of items that were deleted with `forget`, in order. They are no problem. """

    def to_dict(self) -> dict[str, Any]:
        conversations = self.conversations.to_dict()

        messages = self.messages.to_dict()

        memories = self.memories.to_dict()

        memory_versions = self.memory_versions.to_dict()

        recalls = self.recalls.to_dict()

        problems = []
        for problems_item_data in self.problems:
            problems_item = problems_item_data.to_dict()
            problems.append(problems_item)

        skipped = []
        for skipped_item_data in self.skipped:
            skipped_item = skipped_item_data.to_dict()
            skipped.append(skipped_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "conversations": conversations,
                "messages": messages,
                "memories": memories,
                "memory_versions": memory_versions,
                "recalls": recalls,
                "problems": problems,
                "skipped": skipped,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.import_problem import ImportProblem  # noqa: PLC0415
        from ..models.imported_lines_conversations import ImportedLinesConversations  # noqa: PLC0415
        from ..models.imported_lines_memories import ImportedLinesMemories  # noqa: PLC0415
        from ..models.imported_lines_memory_versions import ImportedLinesMemoryVersions  # noqa: PLC0415
        from ..models.imported_lines_messages import ImportedLinesMessages  # noqa: PLC0415
        from ..models.imported_lines_recalls import ImportedLinesRecalls  # noqa: PLC0415
        from ..models.skipped_line import SkippedLine  # noqa: PLC0415

        d = dict(src_dict)
        conversations = ImportedLinesConversations.from_dict(d.pop("conversations"))

        messages = ImportedLinesMessages.from_dict(d.pop("messages"))

        memories = ImportedLinesMemories.from_dict(d.pop("memories"))

        memory_versions = ImportedLinesMemoryVersions.from_dict(d.pop("memory_versions"))

        recalls = ImportedLinesRecalls.from_dict(d.pop("recalls"))

        problems = []
        _problems = d.pop("problems")
        for problems_item_data in _problems:
            problems_item = ImportProblem.from_dict(problems_item_data)

            problems.append(problems_item)

        skipped = []
        _skipped = d.pop("skipped")
        for skipped_item_data in _skipped:
            skipped_item = SkippedLine.from_dict(skipped_item_data)

            skipped.append(skipped_item)

        imported_lines = cls(
            conversations=conversations,
            messages=messages,
            memories=memories,
            memory_versions=memory_versions,
            recalls=recalls,
            problems=problems,
            skipped=skipped,
        )

        return imported_lines
