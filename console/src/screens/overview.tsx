import type { Operation, Usage } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useState } from "preact/hooks";
import { formatDay, formatNumber } from "../format.ts";
import { useAction, useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Bars } from "../parts/bars.tsx";
import { Copy, Screen as Frame } from "../parts/basics.tsx";
import { CREATED, WORK } from "../parts/columns.tsx";
import { Empty, Failure, WhenLoaded } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { goTo, linkTo } from "../route.ts";
import { engram } from "../session.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;
const USAGE_MAX = 2_000;
const IMPORT_COMMAND = "npx @engram/cli import chatgpt conversations.json";

const texts = MESSAGES.overview;

export function Screen() {
  const counts = useLoaded(async (signal) => {
    const query = { limit: 1, include_total: true };
    const [conversations, memories, index] = await Promise.all([
      engram().conversations.list(query, { signal }).page(),
      engram().memories.list(query, { signal }).page(),
      engram().index.status({}, { signal }),
    ]);
    return { conversations: conversations.total ?? null, memories: memories.total ?? null, index };
  }, []);
  return (
    <Frame title={texts.title} note={texts.note}>
      <WhenLoaded of={counts} rows={2}>
        {({ conversations, memories, index }) =>
          index.messages === 0 && conversations === 0 ? (
            <FirstSteps />
          ) : (
            <>
              <ul class="figures">
                <Figure label={texts.conversations} value={conversations} href={linkTo(["conversations"])} />
                <Figure label={texts.memories} value={memories} href={linkTo(["memories"])} />
                <Figure label={texts.stored} value={index.messages} />
                <Figure label={texts.pending} value={index.pending} href={linkTo(["operations"])} />
                <Figure
                  label={texts.failed}
                  value={index.failed}
                  href={linkTo(["operations"])}
                  isBad={index.failed > 0}
                />
              </ul>
              <UsageOfDays />
              <LastOperations />
            </>
          )
        }
      </WhenLoaded>
    </Frame>
  );
}

function Figure(props: { label: string; value: number | null; href?: string; isBad?: boolean }) {
  const content = (
    <>
      <span class="note">{props.label}</span>
      <strong>{props.value === null ? texts.notCounted : formatNumber(props.value)}</strong>
    </>
  );
  return (
    <li class={props.isBad ? "bad" : undefined}>
      {props.href === undefined ? <div>{content}</div> : <a href={props.href}>{content}</a>}
    </li>
  );
}

function UsageOfDays() {
  const usage = useLoaded(
    (signal) =>
      engram()
        .usage.list({ from: dayBefore(DAYS - 1), limit: PAGE_ITEMS_MAX }, { signal })
        .toArray({ max: USAGE_MAX }),
    [],
  );
  return (
    <section>
      <h2>{texts.usage}</h2>
      <WhenLoaded of={usage} rows={3}>
        {(items) => (
          <div class="charts">
            {(["messages", "searches", "requests"] as const).map((measure) => (
              <Bars key={measure} title={texts.perDay[measure]} bars={barsOf(items, measure)} />
            ))}
          </div>
        )}
      </WhenLoaded>
    </section>
  );
}

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

function barsOf(items: readonly Usage[], measure: "messages" | "searches" | "requests") {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(item.day, (sums.get(item.day) ?? 0) + item[measure]);
  return Array.from({ length: DAYS }, (_, i) => dayBefore(DAYS - 1 - i)).map((day) => ({
    label: formatDay(day),
    value: sums.get(day) ?? 0,
  }));
}

function LastOperations() {
  const operations = useLoaded(
    (signal) => engram().operations.list({ limit: 5 }, { signal }).toArray({ max: 5 }),
    [],
  );
  return (
    <section>
      <h2>{texts.operations}</h2>
      <WhenLoaded of={operations} rows={3}>
        {(items) =>
          items.length === 0 ? (
            <p class="note">{texts.noOperations}</p>
          ) : (
            <Table<Operation> items={items} label={texts.operations} columns={[...WORK, CREATED]} />
          )
        }
      </WhenLoaded>
    </section>
  );
}

/** What to do first in an empty store. */
function FirstSteps() {
  const { isBusy, error, run } = useAction();
  const store = (event: SubmitEvent) => {
    event.preventDefault();
    const content = String(new FormData(event.currentTarget as HTMLFormElement).get("line"));
    return run(async () => {
      const { id } = await engram().conversations.create({ title: texts.firstTitle });
      await engram().messages.append(id, { messages: [{ role: "user", content }] });
      goTo(["conversations", id]);
    });
  };
  return (
    <Empty title={texts.emptyTitle}>
      <ol class="first-steps">
        <li>
          <h2>{texts.pasteTitle}</h2>
          <form onSubmit={store}>
            <label>
              <span class="only-read">{texts.pasteTitle}</span>
              <textarea name="line" rows={3} required placeholder={texts.pasteExample} />
            </label>
            <button type="submit" class="primary" disabled={isBusy}>
              {texts.paste}
            </button>
          </form>
          {error !== undefined && <Failure error={error} />}
        </li>
        <li>
          <h2>{texts.connectTitle}</h2>
          <p class="note">{texts.connectText}</p>
          <a class="button" href={linkTo(["connect"])}>
            {MESSAGES.navigation.places.connect}
          </a>
        </li>
        <li>
          <h2>{texts.importTitle}</h2>
          <p class="note">{texts.importText}</p>
          <ImportFile />
          <p class="note">{texts.importOthers}</p>
          <p class="secret">
            <code>{IMPORT_COMMAND}</code>
            <Copy text={IMPORT_COMMAND} />
          </p>
        </li>
      </ol>
    </Empty>
  );
}

/** Imports the lines of an export of Engram from a file. */
function ImportFile() {
  const [summary, setSummary] = useState<string>();
  const [error, setError] = useState<unknown>();
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    setError(undefined);
    setSummary(MESSAGES.loading);
    try {
      const { conversations, messages, memories, problems } = await engram().import(linesOf(file));
      setSummary(texts.imported(conversations.created, messages.created, memories.created, problems.length));
    } catch (failure) {
      setSummary(undefined);
      setError(failure);
    }
  };
  return (
    <>
      <label class="drop">
        <span>{texts.chooseFile}</span>
        <input
          type="file"
          accept=".ndjson,.jsonl"
          onChange={(event) => read(event.currentTarget.files?.[0])}
        />
      </label>
      {summary !== undefined && <p role="status">{summary}</p>}
      {error !== undefined && <Failure error={error} />}
    </>
  );
}

async function* linesOf(file: File): AsyncGenerator<string> {
  let rest = "";
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}
