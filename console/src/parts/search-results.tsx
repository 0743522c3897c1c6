import type { MemoryResult, MessagesResult, SearchAnswer, SearchResult } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import type { Expected } from "../test-queries.ts";
import { AnswerNotes } from "./answer-notes.tsx";
import { Badge, Tags, Time } from "./basics.tsx";
import { MessageView } from "./message-view.tsx";
import { Empty } from "./states.tsx";
import { Prose, Text } from "./text.tsx";
import { Why } from "./why.tsx";

const texts = MESSAGES.search;

/** An answer, and how long it took. */
export interface Answered {
  answer: SearchAnswer;
  elapsedMs: number;
}

interface ResultProps {
  /** The lowest relevance that was asked for. */
  minimum: number;
  /** Results of the search at the side, if there is one. */
  other?: readonly SearchResult[] | undefined;
  /** Keeps a result as the right answer of the query. */
  label?: (expected: Expected) => void;
}

/** The results of a search, with what its answer says of itself. */
export function Results({ of: { answer, elapsedMs }, ...props }: { of: Answered } & ResultProps) {
  return (
    <>
      <State answer={answer} elapsedMs={elapsedMs} />
      {answer.results.length === 0 ? (
        <Empty title={texts.none}>{texts.noneText}</Empty>
      ) : (
        <ol class="results">
          {answer.results.map((result, i) => (
            <li key={result.type === "memory" ? result.memory.id : `${result.conversation_id}/${i}`}>
              <Hit of={result} {...props} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function Hit({ of: result, minimum, other, label }: { of: SearchResult } & ResultProps) {
  const about = (
    <>
      {other !== undefined && <Elsewhere of={result} among={other} />}
      <Relevance value={result.relevance} minimum={minimum} />
    </>
  );
  const foot = label !== undefined && <Label of={expectedOf(result)} label={label} />;
  return result.type === "memory" ? (
    <MemoryHit hit={result} about={about} foot={foot} />
  ) : (
    <MessagesHit hit={result} about={about} foot={foot} />
  );
}

const bestOf = ({ matches }: MessagesResult) => [...matches].sort((a, b) => b.score - a.score)[0];

const expectedOf = (result: SearchResult): Expected =>
  result.type === "memory"
    ? { memory_id: result.memory.id }
    : {
        conversation_id: result.conversation_id,
        sequence: bestOf(result)?.sequence ?? result.start_sequence,
      };

function Label({ of: expected, label }: { of: Expected; label(expected: Expected): void }) {
  const [isSaved, setSaved] = useState(false);
  const save = () => {
    label(expected);
    setSaved(true);
  };
  return (
    <button type="button" class="small" disabled={isSaved} onClick={save}>
      {isSaved ? texts.savedAs(null) : texts.rightAnswer}
    </button>
  );
}

/** Where the other search has the same place. */
function Elsewhere({ of: result, among }: { of: SearchResult; among: readonly SearchResult[] }) {
  const index = among.findIndex((other) => isSamePlace(result, other));
  return index === -1 ? (
    <Badge tone="busy">{texts.onlyHere}</Badge>
  ) : (
    <Badge tone="plain">{texts.alsoAt(index + 1)}</Badge>
  );
}

function isSamePlace(a: SearchResult, b: SearchResult): boolean {
  if (a.type === "memory" || b.type === "memory")
    return a.type === "memory" && b.type === "memory" && a.memory.id === b.memory.id;
  return (
    a.conversation_id === b.conversation_id &&
    a.start_sequence <= b.end_sequence &&
    b.start_sequence <= a.end_sequence
  );
}

/** What the answer says of itself. */
function State({ answer, elapsedMs }: { answer: SearchAnswer; elapsedMs: number }) {
  return (
    <div class="search-state" role="status">
      <span class="note">{texts.found(answer.results.length, Math.round(elapsedMs))}</span>
      <AnswerNotes {...answer} />
    </div>
  );
}

interface Parts {
  about: ComponentChildren;
  foot: ComponentChildren;
}

function MessagesHit({ hit, about, foot }: { hit: MessagesResult } & Parts) {
  const matches = new Map(hit.matches.map((match) => [match.sequence, match]));
  const best = bestOf(hit);
  const { title, user_id, tags, created_at } = hit.conversation;
  return (
    <article class="hit">
      <header>
        <a
          data-item
          href={linkTo(["conversations", hit.conversation_id], {
            at: String(best?.sequence ?? hit.start_sequence),
          })}
        >
          {title ? <Text of={title} /> : MESSAGES.conversations.untitled}
        </a>
        {user_id && <Text of={user_id} />}
        <Tags tags={tags} />
        <Time at={created_at} />
        {about}
      </header>
      {hit.messages.map((message) => (
        <MessageView
          key={message.id}
          message={message}
          isTarget={matches.has(message.sequence)}
          marks={matches.get(message.sequence)?.highlights ?? []}
        />
      ))}
      <footer>
        {best?.explanation && <Why explanation={best.explanation} score={best.score} />}
        {foot}
      </footer>
    </article>
  );
}

function MemoryHit({ hit, about, foot }: { hit: MemoryResult } & Parts) {
  const { id, content, user_id, tags, created_at } = hit.memory;
  return (
    <article class="hit">
      <header>
        <a data-item href={linkTo(["memories", id])}>
          {texts.memory}
        </a>
        {user_id && <Text of={user_id} />}
        <Tags tags={tags} />
        <Time at={created_at} />
        {about}
      </header>
      <Prose of={content} marks={hit.highlights} />
      <footer>
        {hit.explanation && <Why explanation={hit.explanation} score={hit.score} />}
        {foot}
      </footer>
    </article>
  );
}

/** Relevance from 0 to 1, with the lowest one that the search asked for. */
function Relevance({ value, minimum }: { value: number; minimum: number }) {
  return (
    <span class="relevance" title={texts.relevanceText}>
      <span class="note">{texts.relevance}</span>
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${value * 100}%` }} />
        {minimum > 0 && <i style={{ left: `${minimum * 100}%` }} />}
      </span>
      <span>{value.toFixed(2)}</span>
    </span>
  );
}
