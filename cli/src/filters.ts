import type { Command } from "commander";
import { collect, moment } from "./options.ts";

/** The options by which lists and searches are filtered. */
export interface Filters {
  agent?: string;
  user?: string;
  tag?: string[];
  after?: string;
  before?: string;
}

/** @param what Such as "conversations" or "in conversations". */
export const addFilters = (command: Command, what: string): Command =>
  command
    .option("--agent <id>", `only ${what} of this agent`)
    .option("--user <id>", `only ${what} of this user`)
    .option("--tag <tag>", `only ${what} with this tag; repeat to require several`, collect)
    .option("--after <time>", "only from this time or later", moment)
    .option("--before <time>", "only from before this time", moment);

export const toFilters = ({ agent, user, tag, after, before }: Filters) => ({
  agent_id: agent,
  user_id: user,
  tags_all: tag,
  created_after: after,
  created_before: before,
});
