import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Engram } from "@engram/sdk";
import { type Command, type HelpContext, Option } from "commander";
import { bodyOf, type FieldTexts, type FieldValues, kebab, valuesOf } from "../api-fields.ts";
import { API_OPERATIONS, type ApiField, type ApiOperation, isIrreversible } from "../api-operations.ts";
import { type Answer, ask, openStream } from "../api-requests.ts";
import { listIn, shownAnswer } from "../api-results.ts";
import { connect, contextOf } from "../context.ts";
import { collect, examples } from "../options.ts";
import { type Output, printable } from "../output.ts";
import { confirm } from "../terminal.ts";

const EXIT_FAILED = 1;
const PAGE_SIZE = 100;
const POLL_MS = 1_000;

interface Flags extends FieldTexts {
  body?: string;
  all?: boolean;
  wait?: boolean;
  yes?: boolean;
}

export function addApi(program: Command): void {
  const api = program
    .command("api")
    .description("Call any operation of the API by its name, with its parameters and fields as options")
    .usage("<operation> [options]")
    .addHelpText(
      "after",
      `
Without an operation, this list is printed. \`engram api <operation> --help\` shows the options of one.
Names can have underscores or hyphens. Lists are given as one option for each item or as JSON, objects as
JSON. \`null\` stands for no value where the API accepts null. Put --url, --api-key and --profile before the operation.

Examples:
  $ engram api listWebhooks
  $ engram api createWebhook --url https://hooks.example.com/engram --types messages.appended
  $ engram api listEntities --kind file --all --json
  $ engram api repairIndex --wait
`,
    );
  // The list is the result of \`engram api\`, not an error.
  const help = api.help.bind(api) as (context?: HelpContext) => never;
  Object.assign(api, { help: (context?: HelpContext) => help({ ...context, error: false }) });
  for (const operation of API_OPERATIONS) addOperation(api, operation);
}

function addOperation(api: Command, operation: ApiOperation): void {
  const { id, tag, summary, description = "", needs, fields, body, isPage, isOperation } = operation;
  const about = [`${summary}.`, description, needs === undefined ? "" : `Needs ${needs}.`];
  const command = api
    .command(id)
    .helpGroup(`${tag}:`)
    .summary(summary)
    .description(about.filter((text) => text !== "").join(" "))
    .addHelpText(...examples(exampleOf(operation)));
  for (const field of fields) {
    command.addOption(new FieldOption(field, kebab(field.name)));
    if (field.name.includes("_")) command.addOption(new FieldOption(field, field.name).hideHelp());
  }
  if (body !== undefined)
    command.option(
      "--body <body>",
      `whole body: ${body === "application/json" ? "JSON, " : ""}a file, or - for standard input`,
    );
  if (isPage) command.option("--all", "all pages");
  if (isOperation) command.option("--wait", "wait until the operation has ended");
  if (isIrreversible(operation)) command.option("--yes", "skip the confirmation");
  command.action(() => run(operation, command));
}

/** An option for a field. Several options of the same field share its texts, apart from all other options. */
class FieldOption extends Option {
  readonly #key: string;

  constructor(field: ApiField, name: string) {
    const { types = ["string"], description, isRequired, values } = field;
    super(
      `--${name} ${placeholder(types)}`,
      `${description}${types.includes("array") ? " Repeatable." : ""}`,
    );
    this.#key = `${field.in}:${field.name}`;
    this.argParser(collect);
    if (values !== undefined) this.argChoices = values;
    if (isRequired && field.in === "path") this.makeOptionMandatory();
  }

  override attributeName(): string {
    return this.#key;
  }
}

function placeholder(types: string[]): string {
  if (types.includes("boolean")) return "[boolean]";
  if (types.includes("array")) return "<item>";
  return types.includes("object") ? "<json>" : `<${types.filter((type) => type !== "null").join("|")}>`;
}

function exampleOf({ id, fields, body }: ApiOperation): string {
  const given = fields.flatMap(({ name, example }) => {
    if (example === undefined) return [];
    const items =
      Array.isArray(example) && example.every((item) => typeof item === "string") ? example : [example];
    return items.map(
      (item) => `--${kebab(name)} ${quoted(typeof item === "string" ? item : JSON.stringify(item))}`,
    );
  });
  const lines = body === undefined || body === "application/json" ? [] : ["--body lines.ndjson"];
  return ["engram api", id, ...given, ...lines].join(" ");
}

const quoted = (text: string): string =>
  /^[\w:/.@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

async function run(operation: ApiOperation, command: Command): Promise<void> {
  const flags = command.opts<Flags>();
  const { output, client, connection } = contextOf(command);
  const values = valuesOf(operation, flags);
  const request = { operation, values, body: await bodyOf(operation, values, flags.body) };
  if (isIrreversible(operation)) await confirm(`${operation.summary}${shownIds(values)}?`, flags);
  const engram =
    operation.needs === undefined ? connect(connection.url, connection.apiKey ?? null) : client();
  if (operation.isStream) {
    const isShown = process.stdout.isTTY;
    for await (const text of openStream(engram, request))
      process.stdout.write(isShown ? printable(text) : text);
    return;
  }
  // Every attempt has the same key, so that the service applies a retried request once.
  if (operation.fields.some(({ name }) => name === "idempotency-key"))
    values.header["idempotency-key"] ??= randomUUID();
  const answer = flags.all ? await allPages(engram, request) : await ask(engram, request);
  print(flags.wait ? await ended(engram, answer) : answer, output);
}

const shownIds = ({ path }: FieldValues): string =>
  Object.values(path)
    .map((id) => ` ${String(id)}`)
    .join("");

async function allPages(engram: Engram, request: Parameters<typeof ask>[1]): Promise<Answer> {
  const { query } = request.values;
  query.limit ??= PAGE_SIZE;
  const items: unknown[] = [];
  for (;;) {
    const { items: found, next_cursor } = await ask(engram, request);
    items.push(...(found as unknown[]));
    if (next_cursor === null) return { items };
    query.cursor = next_cursor;
  }
}

/** The operation once it runs no longer. A failure is the exit code. */
async function ended(engram: Engram, answer: Answer): Promise<Answer> {
  let operation = answer;
  while (operation.status === "running") {
    await setTimeout(POLL_MS);
    operation = { ...(await engram.operations.get(String(answer.id))) };
  }
  if (operation.status === "failed" || operation.status === "canceled") process.exitCode = EXIT_FAILED;
  return operation;
}

function print(answer: Answer, output: Output): void {
  output.data(answer, () => shownAnswer(answer, output));
  if (listIn(answer)?.length === 0) output.note("No items found.");
  if (typeof answer.next_cursor === "string")
    output.note(`More items follow: pass --all, or --cursor ${answer.next_cursor}`);
}
