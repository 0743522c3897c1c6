import { useState } from "preact/hooks";
import { useAction } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { goTo, linkTo } from "../route.ts";
import { engram } from "../session.ts";
import { Copy } from "./basics.tsx";
import { Empty, Failure } from "./states.tsx";

const IMPORT_COMMAND = "npx @engram/cli import chatgpt conversations.json";

const texts = MESSAGES.overview;

/** What to do first in an empty store. */
export function FirstSteps() {
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
