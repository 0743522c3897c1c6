# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
"""Contains all the data models used in inputs/outputs"""

from .api_key import ApiKey
from .api_key_page import ApiKeyPage
from .api_key_with_secret import ApiKeyWithSecret
from .append_messages_body import AppendMessagesBody
from .appended_messages import AppendedMessages
from .archive import Archive
from .archive_counts import ArchiveCounts
from .archive_manifest import ArchiveManifest
from .archive_manifest_counts import ArchiveManifestCounts
from .archive_page import ArchivePage
from .archive_part import ArchivePart
from .archive_schedule import ArchiveSchedule
from .audit_event import AuditEvent
from .audit_event_action import AuditEventAction
from .audit_event_page import AuditEventPage
from .audit_event_page_start_type_0 import AuditEventPageStartType0
from .broadcast_body import BroadcastBody
from .broadcast_result import BroadcastResult
from .captured_memories import CapturedMemories
from .captured_memories_items_item import CapturedMemoriesItemsItem
from .captured_memory import CapturedMemory
from .cited_message import CitedMessage
from .context_answer import ContextAnswer
from .context_answer_degraded_item import ContextAnswerDegradedItem
from .context_answer_memories import ContextAnswerMemories
from .context_answer_messages import ContextAnswerMessages
from .context_answer_results import ContextAnswerResults
from .context_answer_stable_changed_type_1 import ContextAnswerStableChangedType1
from .context_answer_stable_changed_type_2_type_1 import ContextAnswerStableChangedType2Type1
from .context_answer_stable_changed_type_3_type_1 import ContextAnswerStableChangedType3Type1
from .context_answer_summaries import ContextAnswerSummaries
from .context_body import ContextBody
from .context_body_layout import ContextBodyLayout
from .context_body_record_type_1 import ContextBodyRecordType1
from .context_body_shares import ContextBodyShares
from .context_body_visibility_item import ContextBodyVisibilityItem
from .context_memory import ContextMemory
from .context_message import ContextMessage
from .context_result import ContextResult
from .context_summary import ContextSummary
from .conversation import Conversation
from .conversation_line import ConversationLine
from .conversation_page import ConversationPage
from .conversation_summary import ConversationSummary
from .conversation_with_messages import ConversationWithMessages
from .conversations_counted import ConversationsCounted
from .create_archive_body import CreateArchiveBody
from .create_archive_operation import CreateArchiveOperation
from .create_archive_operation_progress import CreateArchiveOperationProgress
from .create_archive_operation_status import CreateArchiveOperationStatus
from .create_conversation_body import CreateConversationBody
from .create_evaluation_body import CreateEvaluationBody
from .create_evaluation_body_request import CreateEvaluationBodyRequest
from .create_evaluation_body_request_entities_item import CreateEvaluationBodyRequestEntitiesItem
from .create_evaluation_body_request_in_item import CreateEvaluationBodyRequestInItem
from .create_evaluation_body_request_mode import CreateEvaluationBodyRequestMode
from .create_evaluation_body_request_neighbors import CreateEvaluationBodyRequestNeighbors
from .create_evaluation_body_request_priors_item import CreateEvaluationBodyRequestPriorsItem
from .create_evaluation_body_request_visibility_item import CreateEvaluationBodyRequestVisibilityItem
from .create_hold_body import CreateHoldBody
from .create_import_body import CreateImportBody
from .create_key_body import CreateKeyBody
from .create_member_body import CreateMemberBody
from .create_memories_body import CreateMemoriesBody
from .create_memory_body import CreateMemoryBody
from .create_organization_body import CreateOrganizationBody
from .create_retention_rule_body import CreateRetentionRuleBody
from .create_retention_rule_body_by import CreateRetentionRuleBodyBy
from .create_retention_rule_body_filter import CreateRetentionRuleBodyFilter
from .create_retention_rule_body_kind import CreateRetentionRuleBodyKind
from .create_ticket_body import CreateTicketBody
from .create_webhook_body import CreateWebhookBody
from .create_webhook_body_types_type_0_item import CreateWebhookBodyTypesType0Item
from .created_organization import CreatedOrganization
from .delete_conversation_operation import DeleteConversationOperation
from .delete_conversation_operation_archives_item import DeleteConversationOperationArchivesItem
from .delete_conversation_operation_status import DeleteConversationOperationStatus
from .delete_conversations_body import DeleteConversationsBody
from .delete_conversations_body_filter import DeleteConversationsBodyFilter
from .delete_conversations_operation import DeleteConversationsOperation
from .delete_conversations_operation_archives_item import DeleteConversationsOperationArchivesItem
from .delete_conversations_operation_progress import DeleteConversationsOperationProgress
from .delete_conversations_operation_status import DeleteConversationsOperationStatus
from .delete_memories_body import DeleteMemoriesBody
from .delete_memories_body_filter import DeleteMemoriesBodyFilter
from .delete_memories_body_filter_kind import DeleteMemoriesBodyFilterKind
from .delete_memories_operation import DeleteMemoriesOperation
from .delete_memories_operation_archives_item import DeleteMemoriesOperationArchivesItem
from .delete_memories_operation_progress import DeleteMemoriesOperationProgress
from .delete_memories_operation_status import DeleteMemoriesOperationStatus
from .delete_memory_operation import DeleteMemoryOperation
from .delete_memory_operation_archives_item import DeleteMemoryOperationArchivesItem
from .delete_memory_operation_status import DeleteMemoryOperationStatus
from .delete_message_operation import DeleteMessageOperation
from .delete_message_operation_archives_item import DeleteMessageOperationArchivesItem
from .delete_message_operation_status import DeleteMessageOperationStatus
from .delete_organization_operation import DeleteOrganizationOperation
from .delete_organization_operation_archives_item import DeleteOrganizationOperationArchivesItem
from .delete_organization_operation_progress import DeleteOrganizationOperationProgress
from .delete_organization_operation_status import DeleteOrganizationOperationStatus
from .delete_user_operation import DeleteUserOperation
from .delete_user_operation_archives_item import DeleteUserOperationArchivesItem
from .delete_user_operation_progress import DeleteUserOperationProgress
from .delete_user_operation_status import DeleteUserOperationStatus
from .delivery import Delivery
from .delivery_page import DeliveryPage
from .delivery_status import DeliveryStatus
from .end_line import EndLine
from .enrich_memories_body import EnrichMemoriesBody
from .enrich_memories_body_filter import EnrichMemoriesBodyFilter
from .enrich_memories_body_filter_kind import EnrichMemoriesBodyFilterKind
from .enrich_memories_operation import EnrichMemoriesOperation
from .enrich_memories_operation_progress import EnrichMemoriesOperationProgress
from .enrich_memories_operation_status import EnrichMemoriesOperationStatus
from .entity import Entity
from .entity_kind import EntityKind
from .entity_page import EntityPage
from .evaluation import Evaluation
from .evaluation_operation import EvaluationOperation
from .evaluation_page import EvaluationPage
from .evaluation_result import EvaluationResult
from .evaluation_result_moved_item import EvaluationResultMovedItem
from .evaluation_run import EvaluationRun
from .evaluation_run_degraded_item import EvaluationRunDegradedItem
from .evaluation_run_models import EvaluationRunModels
from .evaluation_run_ranks_item import EvaluationRunRanksItem
from .event import Event
from .event_page import EventPage
from .event_type import EventType
from .fork_conversation_body import ForkConversationBody
from .found_memory import FoundMemory
from .found_message import FoundMessage
from .found_summary import FoundSummary
from .grant import Grant
from .grant_page import GrantPage
from .health import Health
from .highlight import Highlight
from .hold import Hold
from .hold_details import HoldDetails
from .hold_details_status import HoldDetailsStatus
from .hold_filter import HoldFilter
from .hold_filter_corpus import HoldFilterCorpus
from .hold_page import HoldPage
from .hold_status import HoldStatus
from .import_operation import ImportOperation
from .import_operation_progress import ImportOperationProgress
from .import_operation_status import ImportOperationStatus
from .import_problem import ImportProblem
from .import_problem_code import ImportProblemCode
from .imported_lines import ImportedLines
from .imported_lines_conversations import ImportedLinesConversations
from .imported_lines_memories import ImportedLinesMemories
from .imported_lines_memory_versions import ImportedLinesMemoryVersions
from .imported_lines_messages import ImportedLinesMessages
from .imported_lines_recalls import ImportedLinesRecalls
from .index_status import IndexStatus
from .index_status_last_error_type_0 import IndexStatusLastErrorType0
from .jurisdiction_type_1 import JurisdictionType1
from .jurisdiction_type_2_type_1 import JurisdictionType2Type1
from .jurisdiction_type_3_type_1 import JurisdictionType3Type1
from .list_audit_events_action import ListAuditEventsAction
from .list_audit_events_order import ListAuditEventsOrder
from .list_conversations_order import ListConversationsOrder
from .list_conversations_sort import ListConversationsSort
from .list_conversations_visibility_item import ListConversationsVisibilityItem
from .list_deliveries_status import ListDeliveriesStatus
from .list_entities_kind import ListEntitiesKind
from .list_entities_sort import ListEntitiesSort
from .list_events_type_item import ListEventsTypeItem
from .list_holds_status import ListHoldsStatus
from .list_memories_kind import ListMemoriesKind
from .list_memories_order import ListMemoriesOrder
from .list_memories_sort import ListMemoriesSort
from .list_memories_visibility_item import ListMemoriesVisibilityItem
from .list_operations_status import ListOperationsStatus
from .list_operations_type import ListOperationsType
from .list_organizations_order import ListOrganizationsOrder
from .list_organizations_sort import ListOrganizationsSort
from .list_usage_group_by_item import ListUsageGroupByItem
from .listed_conversation import ListedConversation
from .listed_conversation_last_message_type_0 import ListedConversationLastMessageType0
from .listed_organization import ListedOrganization
from .location_hint_type_1 import LocationHintType1
from .location_hint_type_2_type_1 import LocationHintType2Type1
from .location_hint_type_3_type_1 import LocationHintType3Type1
from .matched_chunk_type_0 import MatchedChunkType0
from .me import Me
from .member import Member
from .member_page import MemberPage
from .memories_counted import MemoriesCounted
from .memory import Memory
from .memory_chunk import MemoryChunk
from .memory_kind import MemoryKind
from .memory_line import MemoryLine
from .memory_line_given import MemoryLineGiven
from .memory_line_sources_item import MemoryLineSourcesItem
from .memory_line_sources_item_state import MemoryLineSourcesItemState
from .memory_page import MemoryPage
from .memory_result import MemoryResult
from .memory_search_answer import MemorySearchAnswer
from .memory_search_answer_degraded_item import MemorySearchAnswerDegradedItem
from .memory_version import MemoryVersion
from .memory_version_line import MemoryVersionLine
from .memory_version_line_given import MemoryVersionLineGiven
from .memory_version_page import MemoryVersionPage
from .memory_with_chunks import MemoryWithChunks
from .mention import Mention
from .mention_page import MentionPage
from .message import Message
from .message_line import MessageLine
from .message_page import MessagePage
from .message_role import MessageRole
from .messages_result import MessagesResult
from .messages_result_cut import MessagesResultCut
from .messages_result_matches_item import MessagesResultMatchesItem
from .move_organization_body import MoveOrganizationBody
from .move_organization_operation import MoveOrganizationOperation
from .move_organization_operation_progress import MoveOrganizationOperationProgress
from .move_organization_operation_status import MoveOrganizationOperationStatus
from .new_memory import NewMemory
from .new_message import NewMessage
from .new_source import NewSource
from .on_source_deleted import OnSourceDeleted
from .operation_page import OperationPage
from .organization import Organization
from .organization_health import OrganizationHealth
from .organization_health_failure_type_1 import OrganizationHealthFailureType1
from .organization_health_failure_type_2_type_1 import OrganizationHealthFailureType2Type1
from .organization_health_failure_type_3_type_1 import OrganizationHealthFailureType3Type1
from .organization_page import OrganizationPage
from .organization_work_type_0 import OrganizationWorkType0
from .place import Place
from .presence import Presence
from .presence_list import PresenceList
from .preview_retention_rule_body import PreviewRetentionRuleBody
from .preview_retention_rule_body_by import PreviewRetentionRuleBodyBy
from .preview_retention_rule_body_filter import PreviewRetentionRuleBodyFilter
from .preview_retention_rule_body_kind import PreviewRetentionRuleBodyKind
from .put_memory_body import PutMemoryBody
from .queued_summaries import QueuedSummaries
from .readiness import Readiness
from .recall import Recall
from .recall_degraded_item import RecallDegradedItem
from .recall_key import RecallKey
from .recall_layout_item import RecallLayoutItem
from .recall_layout_item_part import RecallLayoutItemPart
from .recall_line import RecallLine
from .recall_line_degraded_item import RecallLineDegradedItem
from .recall_line_key import RecallLineKey
from .recall_line_layout_item import RecallLineLayoutItem
from .recall_line_layout_item_part import RecallLineLayoutItemPart
from .recall_line_models import RecallLineModels
from .recall_line_operation import RecallLineOperation
from .recall_models import RecallModels
from .recall_operation import RecallOperation
from .recall_page import RecallPage
from .recalled_item import RecalledItem
from .recalled_item_part import RecalledItemPart
from .recalled_item_type import RecalledItemType
from .repair_index_body import RepairIndexBody
from .repair_index_operation import RepairIndexOperation
from .repair_index_operation_problem_type_0 import RepairIndexOperationProblemType0
from .repair_index_operation_progress import RepairIndexOperationProgress
from .repair_index_operation_status import RepairIndexOperationStatus
from .replace_messages_body import ReplaceMessagesBody
from .replaced_messages import ReplacedMessages
from .replay import Replay
from .replay_degraded_item import ReplayDegradedItem
from .replay_difference import ReplayDifference
from .replay_difference_cause import ReplayDifferenceCause
from .replay_difference_change import ReplayDifferenceChange
from .replay_models import ReplayModels
from .retention_preview import RetentionPreview
from .retention_rule import RetentionRule
from .retention_rule_by import RetentionRuleBy
from .retention_rule_filter import RetentionRuleFilter
from .retention_rule_kind import RetentionRuleKind
from .retention_rule_list import RetentionRuleList
from .role import Role
from .rotate_key_body import RotateKeyBody
from .scope import Scope
from .search_answer import SearchAnswer
from .search_answer_degraded_item import SearchAnswerDegradedItem
from .search_body import SearchBody
from .search_body_entities_item import SearchBodyEntitiesItem
from .search_body_in_item import SearchBodyInItem
from .search_body_mode import SearchBodyMode
from .search_body_neighbors import SearchBodyNeighbors
from .search_body_priors_item import SearchBodyPriorsItem
from .search_body_record_type_1 import SearchBodyRecordType1
from .search_body_visibility_item import SearchBodyVisibilityItem
from .search_explanation import SearchExplanation
from .search_memories_body import SearchMemoriesBody
from .search_memories_body_kind import SearchMemoriesBodyKind
from .search_memories_body_mode import SearchMemoriesBodyMode
from .search_memories_body_record_type_1 import SearchMemoriesBodyRecordType1
from .search_memories_body_visibility_item import SearchMemoriesBodyVisibilityItem
from .set_archive_schedule_body import SetArchiveScheduleBody
from .set_presence_body import SetPresenceBody
from .sign_in_code import SignInCode
from .skipped_line import SkippedLine
from .source import Source
from .source_state import SourceState
from .summary import Summary
from .summary_page import SummaryPage
from .summary_sentence import SummarySentence
from .summary_sentence_cites_item import SummarySentenceCitesItem
from .ticket import Ticket
from .tombstone import Tombstone
from .tombstone_kind import TombstoneKind
from .tombstone_page import TombstonePage
from .update_conversation_body import UpdateConversationBody
from .update_member_body import UpdateMemberBody
from .update_memory_body import UpdateMemoryBody
from .update_message_body import UpdateMessageBody
from .update_organization_body import UpdateOrganizationBody
from .update_recall_body import UpdateRecallBody
from .update_retention_rule_body import UpdateRetentionRuleBody
from .update_webhook_body import UpdateWebhookBody
from .update_webhook_body_types_type_0_item import UpdateWebhookBodyTypesType0Item
from .usage import Usage
from .usage_group import UsageGroup
from .usage_page import UsagePage
from .user import User
from .user_page import UserPage
from .webhook import Webhook
from .webhook_attempt import WebhookAttempt
from .webhook_attempt_error_type_1 import WebhookAttemptErrorType1
from .webhook_attempt_error_type_2_type_1 import WebhookAttemptErrorType2Type1
from .webhook_attempt_error_type_3_type_1 import WebhookAttemptErrorType3Type1
from .webhook_list import WebhookList
from .webhook_paused_reason_type_1 import WebhookPausedReasonType1
from .webhook_paused_reason_type_2_type_1 import WebhookPausedReasonType2Type1
from .webhook_paused_reason_type_3_type_1 import WebhookPausedReasonType3Type1
from .webhook_test import WebhookTest
from .webhook_test_event import WebhookTestEvent
from .webhook_types_type_0_item import WebhookTypesType0Item
from .webhook_with_secret import WebhookWithSecret
from .webhook_with_secret_paused_reason_type_1 import WebhookWithSecretPausedReasonType1
from .webhook_with_secret_paused_reason_type_2_type_1 import WebhookWithSecretPausedReasonType2Type1
from .webhook_with_secret_paused_reason_type_3_type_1 import WebhookWithSecretPausedReasonType3Type1
from .webhook_with_secret_types_type_0_item import WebhookWithSecretTypesType0Item

__all__ = (
    "ApiKey",
    "ApiKeyPage",
    "ApiKeyWithSecret",
    "AppendedMessages",
    "AppendMessagesBody",
    "Archive",
    "ArchiveCounts",
    "ArchiveManifest",
    "ArchiveManifestCounts",
    "ArchivePage",
    "ArchivePart",
    "ArchiveSchedule",
    "AuditEvent",
    "AuditEventAction",
    "AuditEventPage",
    "AuditEventPageStartType0",
    "BroadcastBody",
    "BroadcastResult",
    "CapturedMemories",
    "CapturedMemoriesItemsItem",
    "CapturedMemory",
    "CitedMessage",
    "ContextAnswer",
    "ContextAnswerDegradedItem",
    "ContextAnswerMemories",
    "ContextAnswerMessages",
    "ContextAnswerResults",
    "ContextAnswerStableChangedType1",
    "ContextAnswerStableChangedType2Type1",
    "ContextAnswerStableChangedType3Type1",
    "ContextAnswerSummaries",
    "ContextBody",
    "ContextBodyLayout",
    "ContextBodyRecordType1",
    "ContextBodyShares",
    "ContextBodyVisibilityItem",
    "ContextMemory",
    "ContextMessage",
    "ContextResult",
    "ContextSummary",
    "Conversation",
    "ConversationLine",
    "ConversationPage",
    "ConversationsCounted",
    "ConversationSummary",
    "ConversationWithMessages",
    "CreateArchiveBody",
    "CreateArchiveOperation",
    "CreateArchiveOperationProgress",
    "CreateArchiveOperationStatus",
    "CreateConversationBody",
    "CreatedOrganization",
    "CreateEvaluationBody",
    "CreateEvaluationBodyRequest",
    "CreateEvaluationBodyRequestEntitiesItem",
    "CreateEvaluationBodyRequestInItem",
    "CreateEvaluationBodyRequestMode",
    "CreateEvaluationBodyRequestNeighbors",
    "CreateEvaluationBodyRequestPriorsItem",
    "CreateEvaluationBodyRequestVisibilityItem",
    "CreateHoldBody",
    "CreateImportBody",
    "CreateKeyBody",
    "CreateMemberBody",
    "CreateMemoriesBody",
    "CreateMemoryBody",
    "CreateOrganizationBody",
    "CreateRetentionRuleBody",
    "CreateRetentionRuleBodyBy",
    "CreateRetentionRuleBodyFilter",
    "CreateRetentionRuleBodyKind",
    "CreateTicketBody",
    "CreateWebhookBody",
    "CreateWebhookBodyTypesType0Item",
    "DeleteConversationOperation",
    "DeleteConversationOperationArchivesItem",
    "DeleteConversationOperationStatus",
    "DeleteConversationsBody",
    "DeleteConversationsBodyFilter",
    "DeleteConversationsOperation",
    "DeleteConversationsOperationArchivesItem",
    "DeleteConversationsOperationProgress",
    "DeleteConversationsOperationStatus",
    "DeleteMemoriesBody",
    "DeleteMemoriesBodyFilter",
    "DeleteMemoriesBodyFilterKind",
    "DeleteMemoriesOperation",
    "DeleteMemoriesOperationArchivesItem",
    "DeleteMemoriesOperationProgress",
    "DeleteMemoriesOperationStatus",
    "DeleteMemoryOperation",
    "DeleteMemoryOperationArchivesItem",
    "DeleteMemoryOperationStatus",
    "DeleteMessageOperation",
    "DeleteMessageOperationArchivesItem",
    "DeleteMessageOperationStatus",
    "DeleteOrganizationOperation",
    "DeleteOrganizationOperationArchivesItem",
    "DeleteOrganizationOperationProgress",
    "DeleteOrganizationOperationStatus",
    "DeleteUserOperation",
    "DeleteUserOperationArchivesItem",
    "DeleteUserOperationProgress",
    "DeleteUserOperationStatus",
    "Delivery",
    "DeliveryPage",
    "DeliveryStatus",
    "EndLine",
    "EnrichMemoriesBody",
    "EnrichMemoriesBodyFilter",
    "EnrichMemoriesBodyFilterKind",
    "EnrichMemoriesOperation",
    "EnrichMemoriesOperationProgress",
    "EnrichMemoriesOperationStatus",
    "Entity",
    "EntityKind",
    "EntityPage",
    "Evaluation",
    "EvaluationOperation",
    "EvaluationPage",
    "EvaluationResult",
    "EvaluationResultMovedItem",
    "EvaluationRun",
    "EvaluationRunDegradedItem",
    "EvaluationRunModels",
    "EvaluationRunRanksItem",
    "Event",
    "EventPage",
    "EventType",
    "ForkConversationBody",
    "FoundMemory",
    "FoundMessage",
    "FoundSummary",
    "Grant",
    "GrantPage",
    "Health",
    "Highlight",
    "Hold",
    "HoldDetails",
    "HoldDetailsStatus",
    "HoldFilter",
    "HoldFilterCorpus",
    "HoldPage",
    "HoldStatus",
    "ImportedLines",
    "ImportedLinesConversations",
    "ImportedLinesMemories",
    "ImportedLinesMemoryVersions",
    "ImportedLinesMessages",
    "ImportedLinesRecalls",
    "ImportOperation",
    "ImportOperationProgress",
    "ImportOperationStatus",
    "ImportProblem",
    "ImportProblemCode",
    "IndexStatus",
    "IndexStatusLastErrorType0",
    "JurisdictionType1",
    "JurisdictionType2Type1",
    "JurisdictionType3Type1",
    "ListAuditEventsAction",
    "ListAuditEventsOrder",
    "ListConversationsOrder",
    "ListConversationsSort",
    "ListConversationsVisibilityItem",
    "ListDeliveriesStatus",
    "ListedConversation",
    "ListedConversationLastMessageType0",
    "ListedOrganization",
    "ListEntitiesKind",
    "ListEntitiesSort",
    "ListEventsTypeItem",
    "ListHoldsStatus",
    "ListMemoriesKind",
    "ListMemoriesOrder",
    "ListMemoriesSort",
    "ListMemoriesVisibilityItem",
    "ListOperationsStatus",
    "ListOperationsType",
    "ListOrganizationsOrder",
    "ListOrganizationsSort",
    "ListUsageGroupByItem",
    "LocationHintType1",
    "LocationHintType2Type1",
    "LocationHintType3Type1",
    "MatchedChunkType0",
    "Me",
    "Member",
    "MemberPage",
    "MemoriesCounted",
    "Memory",
    "MemoryChunk",
    "MemoryKind",
    "MemoryLine",
    "MemoryLineGiven",
    "MemoryLineSourcesItem",
    "MemoryLineSourcesItemState",
    "MemoryPage",
    "MemoryResult",
    "MemorySearchAnswer",
    "MemorySearchAnswerDegradedItem",
    "MemoryVersion",
    "MemoryVersionLine",
    "MemoryVersionLineGiven",
    "MemoryVersionPage",
    "MemoryWithChunks",
    "Mention",
    "MentionPage",
    "Message",
    "MessageLine",
    "MessagePage",
    "MessageRole",
    "MessagesResult",
    "MessagesResultCut",
    "MessagesResultMatchesItem",
    "MoveOrganizationBody",
    "MoveOrganizationOperation",
    "MoveOrganizationOperationProgress",
    "MoveOrganizationOperationStatus",
    "NewMemory",
    "NewMessage",
    "NewSource",
    "OnSourceDeleted",
    "OperationPage",
    "Organization",
    "OrganizationHealth",
    "OrganizationHealthFailureType1",
    "OrganizationHealthFailureType2Type1",
    "OrganizationHealthFailureType3Type1",
    "OrganizationPage",
    "OrganizationWorkType0",
    "Place",
    "Presence",
    "PresenceList",
    "PreviewRetentionRuleBody",
    "PreviewRetentionRuleBodyBy",
    "PreviewRetentionRuleBodyFilter",
    "PreviewRetentionRuleBodyKind",
    "PutMemoryBody",
    "QueuedSummaries",
    "Readiness",
    "Recall",
    "RecallDegradedItem",
    "RecalledItem",
    "RecalledItemPart",
    "RecalledItemType",
    "RecallKey",
    "RecallLayoutItem",
    "RecallLayoutItemPart",
    "RecallLine",
    "RecallLineDegradedItem",
    "RecallLineKey",
    "RecallLineLayoutItem",
    "RecallLineLayoutItemPart",
    "RecallLineModels",
    "RecallLineOperation",
    "RecallModels",
    "RecallOperation",
    "RecallPage",
    "RepairIndexBody",
    "RepairIndexOperation",
    "RepairIndexOperationProblemType0",
    "RepairIndexOperationProgress",
    "RepairIndexOperationStatus",
    "ReplacedMessages",
    "ReplaceMessagesBody",
    "Replay",
    "ReplayDegradedItem",
    "ReplayDifference",
    "ReplayDifferenceCause",
    "ReplayDifferenceChange",
    "ReplayModels",
    "RetentionPreview",
    "RetentionRule",
    "RetentionRuleBy",
    "RetentionRuleFilter",
    "RetentionRuleKind",
    "RetentionRuleList",
    "Role",
    "RotateKeyBody",
    "Scope",
    "SearchAnswer",
    "SearchAnswerDegradedItem",
    "SearchBody",
    "SearchBodyEntitiesItem",
    "SearchBodyInItem",
    "SearchBodyMode",
    "SearchBodyNeighbors",
    "SearchBodyPriorsItem",
    "SearchBodyRecordType1",
    "SearchBodyVisibilityItem",
    "SearchExplanation",
    "SearchMemoriesBody",
    "SearchMemoriesBodyKind",
    "SearchMemoriesBodyMode",
    "SearchMemoriesBodyRecordType1",
    "SearchMemoriesBodyVisibilityItem",
    "SetArchiveScheduleBody",
    "SetPresenceBody",
    "SignInCode",
    "SkippedLine",
    "Source",
    "SourceState",
    "Summary",
    "SummaryPage",
    "SummarySentence",
    "SummarySentenceCitesItem",
    "Ticket",
    "Tombstone",
    "TombstoneKind",
    "TombstonePage",
    "UpdateConversationBody",
    "UpdateMemberBody",
    "UpdateMemoryBody",
    "UpdateMessageBody",
    "UpdateOrganizationBody",
    "UpdateRecallBody",
    "UpdateRetentionRuleBody",
    "UpdateWebhookBody",
    "UpdateWebhookBodyTypesType0Item",
    "Usage",
    "UsageGroup",
    "UsagePage",
    "User",
    "UserPage",
    "Webhook",
    "WebhookAttempt",
    "WebhookAttemptErrorType1",
    "WebhookAttemptErrorType2Type1",
    "WebhookAttemptErrorType3Type1",
    "WebhookList",
    "WebhookPausedReasonType1",
    "WebhookPausedReasonType2Type1",
    "WebhookPausedReasonType3Type1",
    "WebhookTest",
    "WebhookTestEvent",
    "WebhookTypesType0Item",
    "WebhookWithSecret",
    "WebhookWithSecretPausedReasonType1",
    "WebhookWithSecretPausedReasonType2Type1",
    "WebhookWithSecretPausedReasonType3Type1",
    "WebhookWithSecretTypesType0Item",
)
