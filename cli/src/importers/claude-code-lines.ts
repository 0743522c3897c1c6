import { words } from "./values.ts";

/** Why lines of the logs of Claude Code are left out, by their type. The types come from the logs of many versions. */
const BOOKKEEPING = "bookkeeping of the program";
const CONTEXT = "context that the program added for the model";

const LINES = new Map<string, string>([
  ["progress", "progress of a tool; a subagent's messages are in its own log"],
  ["last-prompt", "repeats a message"],
  ["continued-in", "names another log"],
  ["fork-context-ref", "names another log"],
  ["started", "journal of a workflow"],
  ["result", "journal of a workflow"],
  ...words(`
    agent-color agent-name agent-setting artifact-autoreact-ledger artifact-comment-monitor atis-latch
    attribution-snapshot bridge-session content-replacement cost-state dev-mods file-history-delta
    file-history-reconstruction file-history-snapshot frame-link mode permission-mode pr-link relocated
    speculation-accept tag task-summary worktree-state
  `).map((type): [string, string] => [type, BOOKKEEPING]),
]);

const ATTACHMENTS = new Set(
  words(`
    agent_listing_delta agent_mention async_hook_response auto_mode auto_mode_exit budget_usd
    command_permissions companion_intro compact_file_reference compaction_reminder context_efficiency
    credential_org critical_system_reminder current_session_memory date date_change deferred_tools_delta
    diagnostics directory dynamic_skill edited_image_file edited_text_file file instructions
    invoked_skills max_turns_reached mcp_instructions_delta mcp_resource model nested_memory
    opened_file_in_ide output_style output_token_usage pdf_reference plan_file_reference plan_mode
    plan_mode_exit plan_mode_reentry prompt_snapshot read_truncation_notice relevant_memories
    remote_session_change selected_lines_in_ide session_context skill_discovery skill_listing
    structured_output task_reminder task_status team_context thinking_drop thinking_stripped todo
    todo_reminder token_usage ultra_effort_enter ultra_effort_exit verify_plan_reminder
    workflow_keyword_request
  `),
);

/** The reason for which a line of this type has nothing that was said. Undefined if the type is unknown. */
export const whyLeftOut = (type: string): string | undefined => LINES.get(type);

/** As `whyLeftOut`, for an attachment, which a line has in the field `attachment`. */
export const whyAttachmentLeftOut = (type: string): string | undefined =>
  ATTACHMENTS.has(type) || type.startsWith("hook_") ? CONTEXT : undefined;
