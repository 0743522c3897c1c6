import type { MemoryResult, MessagesResult, SearchAnswer, SearchResult } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { firstWords } from "../format.ts";
import { useAction } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import { AnswerNotes } from "./answer-notes.tsx";
import { Badge, Tags } from "./basics.tsx";
import { commonFilters, filtered } from "./filters.tsx";
import { MemoryMarks } from "./memory-marks.tsx";
import { Menu } from "./menu.tsx";
import { MessageView } from "./message-view.tsx";
import { RelativeTime } from "./relative-time.tsx";
import { Empty, Failure } from "./states.tsx";
import { Prose, Text } from "./text.tsx";
import { Why } from "./why.tsx";

const texts = MESSAGES.search;
const VALID_AT = commonFilters("valid_at");

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
  /** Keeps a message or memory, by its id, as the right answer of the query. */
  label?: (id: string) => Promise<unknown>;
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
              <Hit of={result} rank={i + 1} {...props} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function Hit(props: { of: SearchResult; rank: number } & ResultProps) {
  const { of: result, rank, minimum, other, label } = props;
  const [isSaved, setSaved] = useState(false);
  const { error, run } = useAction();
  const save = () =>
    run(async () => {
      await label?.(expectedOf(result));
      setSaved(true);
    });
  const about = (
    <>
      {other !== undefined && <Elsewhere of={result} among={other} />}
      {isSaved && (
        <span role="status">
          <a href={linkTo(["evaluations"])}>
            <Badge tone="good">{texts.savedAs(null)}</Badge>
          </a>
        </span>
      )}
      <Relevance value={result.relevance} minimum={minimum} />
      {label !== undefined && (
        <Menu label={texts.actionsOf(rank)} items={[{ label: texts.rightAnswer, act: save }]} />
      )}
    </>
  );
  return (
    <>
      {result.type === "memory" ? (
        <MemoryHit hit={result} about={about} />
      ) : (
        <MessagesHit hit={result} about={about} />
      )}
      {error !== undefined && <Failure error={error} />}
    </>
  );
}

const bestOf = ({ matches }: MessagesResult) => [...matches].sort((a, b) => b.score - a.score)[0];

/** The id of a memory, or of the best match among messages. */
const expectedOf = (result: SearchResult): string =>
  result.type === "memory" ? result.memory.id : (saidIn(result)?.id ?? "");

const saidIn = (hit: MessagesResult) =>
  hit.messages.find(({ sequence }) => sequence === bestOf(hit)?.sequence) ?? hit.messages[0];

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

function MessagesHit({ hit, about }: { hit: MessagesResult; about: ComponentChildren }) {
  const matches = new Map(hit.matches.map((match) => [match.sequence, match]));
  const best = bestOf(hit);
  const { title, user_id, tags } = hit.conversation;
  const said = saidIn(hit);
  return (
    <article class="hit">
      <header>
        <div class="what">
          <a
            data-item
            href={linkTo(["conversations", hit.conversation_id], {
              at: String(best?.sequence ?? hit.start_sequence),
            })}
          >
            {title ? <Text of={title} /> : MESSAGES.conversations.untitled}
          </a>
          <Owned user={user_id} tags={tags} at={said?.created_at} />
        </div>
        <span class="about">{about}</span>
      </header>
      {hit.messages.map((message) => (
        <MessageView
          key={message.id}
          message={message}
          isTarget={matches.has(message.sequence)}
          marks={matches.get(message.sequence)?.highlights ?? []}
        />
      ))}
      {best?.explanation && (
        <Why
          explanation={best.explanation}
          score={best.score}
          relevance={hit.relevance}
          sequence={hit.matches.length > 1 ? best.sequence : undefined}
        />
      )}
    </article>
  );
}

/** A memory is titled by its first words. Its text follows if it has more. */
function MemoryHit({ hit, about }: { hit: MemoryResult; about: ComponentChildren }) {
  const { id, content, user_id, tags, created_at } = hit.memory;
  const { valid_at } = filtered(VALID_AT) as { valid_at?: string };
  const title = firstWords(content);
  const isWhole = title === content;
  return (
    <article class="hit">
      <header>
        <div class="what">
          <a data-item href={linkTo(["memories", id])}>
            {isWhole ? (
              <Text of={content} marks={hit.highlights} />
            ) : (
              <Text of={title || MESSAGES.memories.without} />
            )}
          </a>
          <Owned
            kind={texts.memory}
            user={user_id}
            tags={tags}
            at={created_at}
            marks={<MemoryMarks of={hit.memory} at={valid_at} />}
          />
        </div>
        <span class="about">{about}</span>
      </header>
      {!isWhole && <Prose of={content} marks={hit.highlights} />}
      {hit.explanation && (
        <Why explanation={hit.explanation} score={hit.score} relevance={hit.relevance} isMemory />
      )}
    </article>
  );
}

/** What kind of result it is, whose, and when it was said or captured. */
function Owned(props: {
  kind?: string;
  user: string | null;
  tags: readonly string[];
  at: string | undefined;
  marks?: ComponentChildren;
}) {
  const { kind, user, tags, at, marks } = props;
  return (
    <p class="note">
      {kind !== undefined && <span>{kind}</span>}
      {marks}
      {user && (
        <a href={linkTo(["users", user])}>
          <Text of={user} />
        </a>
      )}
      {at !== undefined && <RelativeTime at={at} />}
      <Tags tags={tags} />
    </p>
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
