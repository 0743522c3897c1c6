import { PAGE_ITEMS_MAX, SEARCH_RESULTS_MAX } from "@engram/sdk/limits";
import { type Command, Option } from "commander";
import { collect, moment, wholeNumber } from "./options.ts";

/** The options by which lists and searches are filtered. */
export interface Filters {
  agent?: string;
  user?: string;
  shared?: true;
  tag?: string[];
  after?: string;
  before?: string;
}

/** The options of a list. */
export interface Listing extends Filters {
  limit: number;
  sort: string;
  order: string;
}

/** The options of a search. */
export interface Searching extends Filters {
  mode: string;
  exclude?: string[];
  limit: number;
}

/** @param what Such as "conversations" or "in conversations". */
const addFilters = (command: Command, what: string): Command =>
  command
    .option("--agent <id>", `only ${what} of this agent`)
    .option("--user <id>", `only ${what} of this user`)
    .option("--shared", `only ${what} shared with all users`)
    .option("--tag <tag>", `only ${what} with this tag; repeat to require several`, collect)
    .option("--after <time>", "only from this time or later", moment)
    .option("--before <time>", "only from before this time", moment);

/** @param sorts The fields that the list can be sorted by, the default first. */
export const addListing = (command: Command, what: string, sorts: string[]): Command =>
  addFilters(command.option("--limit <n>", `maximum number of ${what}`, wholeNumber(1, 100_000), 20), what)
    .addOption(new Option("--sort <field>", "sort field").choices(sorts).default(sorts[0]))
    .addOption(
      new Option("--order <order>", "ascending or descending").choices(["asc", "desc"]).default("desc"),
    );

/** @param match What is not found with a word of `--exclude`, such as "memory". */
export const addSearching = (command: Command, what: string, match: string): Command =>
  addFilters(
    command
      .argument("<query...>", 'text to search for; "quotes" match a phrase')
      .addOption(
        new Option("--mode <mode>", "search by meaning and words, by meaning, or by words")
          .choices(["hybrid", "semantic", "keyword"])
          .default("hybrid"),
      )
      .option("--exclude <text>", `no ${match} with this word or phrase; repeat to exclude several`, collect)
      .option(
        "--limit <n>",
        `maximum number of results, 1 to ${SEARCH_RESULTS_MAX}`,
        wholeNumber(1, SEARCH_RESULTS_MAX),
        10,
      ),
    what,
  );

export const toListing = ({ limit, sort, order, ...filters }: Listing) => ({
  ...toFilters(filters),
  limit: Math.min(limit, PAGE_ITEMS_MAX),
  sort,
  order,
});

export const toSearching = (words: string[], { mode, exclude, limit, ...filters }: Searching) => ({
  ...toFilters(filters),
  query: words.join(" "),
  mode,
  exclude,
  limit,
});

const toFilters = ({ agent, user, shared, tag, after, before }: Filters) => ({
  agent_id: agent,
  user_id: user,
  visibility: shared && ["shared"],
  tags_all: tag,
  created_after: after,
  created_before: before,
});
