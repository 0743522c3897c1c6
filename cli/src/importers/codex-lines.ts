import { words } from "./values.ts";

const BOOKKEEPING = "bookkeeping of the program";
const REPEATS = "repeats an item";
const ENCRYPTED = "encrypted";

/** Why lines and items of the logs of Codex are left out, by their type. */
const REASONS = new Map<string, string>([
  ["turn_context", BOOKKEEPING],
  ["world_state", BOOKKEEPING],
  ["session_state", BOOKKEEPING],
  ["state", BOOKKEEPING],
  ["inter_agent_communication_metadata", BOOKKEEPING],
  ["token_usage_record", BOOKKEEPING],
  ["ghost_snapshot", "backup of files"],
  ["additional_tools", BOOKKEEPING],
  ["compaction", ENCRYPTED],
  ["compaction_summary", ENCRYPTED],
  ["context_compaction", ENCRYPTED],
  ...words(`
    agent_message agent_reasoning agent_reasoning_raw_content exited_review_mode image_generation_end
    mcp_tool_call_end patch_apply_end user_message web_search_end exec_command_end view_image_tool_call
  `).map((type): [string, string] => [`event_msg/${type}`, REPEATS]),
  ...words(`
    context_compacted entered_review_mode error item_completed sub_agent_activity task_complete
    task_started thread_goal_updated thread_rolled_back thread_settings_applied token_count turn_aborted
    turn_complete turn_started undo_completed warning
  `).map((type): [string, string] => [`event_msg/${type}`, BOOKKEEPING]),
]);

/** The reason for which a line or item of this type is not stored. Undefined if the type is unknown. */
export const whyLeftOut = (type: string): string | undefined => REASONS.get(type);
