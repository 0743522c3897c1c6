import { readOptions, readPath, UsageError } from "../command/options.ts";

export const USAGE = `Usage: npm run bench:relevance -- [--chats] [--data DIR|FILE.json.gz]… [--check]

  --chats              draw stores from the conversations of proof/bench/sets/chats
  --data DIR           and from LoCoMo dialogues; may be repeated
  --data FILE.json.gz  and from transcripts
  --check              exit with 1 when a bound is not held`;

export interface RelevanceArgs {
  withChats: boolean;
  /** Absolute paths. */
  dataPaths: string[];
  isChecked: boolean;
}

/** @throws {UsageError} for an invalid command line. */
export function readArgs(argv: string[], workingDirectory: string): RelevanceArgs {
  const { chats, data, check } = readOptions(argv, {
    chats: { type: "boolean", default: false },
    data: { type: "string", multiple: true, default: [] },
    check: { type: "boolean", default: false },
  });
  if (!chats && data.length === 0) throw new UsageError("Name what to draw from: --chats or --data");
  return {
    withChats: chats,
    dataPaths: data.flatMap((path) => readPath(workingDirectory, path) ?? []),
    isChecked: check,
  };
}
