import type { MemoryResult, MessagesResult, SearchAnswer, SearchBody, SearchExplanation } from "@engram/sdk";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Badge, Screen as Frame, Tags, Time } from "../parts/basics.tsx";
import { type Filter, Filters, filterDay, filterValue, filterValues } from "../parts/filters.tsx";
import { MessageView } from "../parts/message-view.tsx";
import { Empty, Failure, Loading } from "../parts/states.tsx";
import { Prose, Text } from "../parts/text.tsx";
import { goTo, linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.search;
const { filterLabels } = MESSAGES;

const FILTERS: readonly Filter[] = [
  { name: "mode", label: texts.mode, placeholder: "hybrid", choices: ["semantic", "keyword"] },
  { name: "in", label: texts.in, choices: ["conversations", "memories"] },
  { name: "limit", label: texts.limit, placeholder: "10", choices: ["5", "20", "50"] },
  { name: "min_relevance", label: texts.minRelevance, placeholder: "0.25" },
  { name: "user_id", label: filterLabels.user },
  { name: "agent_id", label: filterLabels.agent },
  { name: "conversation_id", label: filterLabels.conversation },
  { name: "tags_any", label: filterLabels.tagsAny, placeholder: filterLabels.commas },
  { name: "roles", label: filterLabels.role, choices: ["user", "assistant", "system", "tool"] },
  { name: "created_after", label: filterLabels.after, type: "date" },
  { name: "created_before", label: filterLabels.before, type: "date" },
];

export function Screen() {
  const asked = filterValue("q");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const q = String(new FormData(event.currentTarget as HTMLFormElement).get("q"));
    goTo(["search"], { ...Object.fromEntries(route.value.query), q });
  };
  return (
    <Frame title={texts.title}>
      <search>
        <form class="search" onSubmit={submit}>
          <input
            autofocus={asked === undefined}
            key={asked}
            data-search
            type="search"
            name="q"
            aria-label={texts.query}
            placeholder={texts.placeholder}
            defaultValue={asked}
            autoComplete="off"
          />
          <button type="submit" class="primary">
            {texts.submit}
          </button>
        </form>
      </search>
      <Filters filters={FILTERS} />
      {asked === undefined ? <Empty title={texts.start}>{texts.startText}</Empty> : <Results query={asked} />}
    </Frame>
  );
}

function Results({ query }: { query: string }) {
  const loaded = useLoaded(
    async (signal) => {
      const begunAt = performance.now();
      const answer = await engram().search(toBody(query), { signal });
      return { answer, elapsedMs: performance.now() - begunAt };
    },
    [route.value.query.toString()],
  );
  if (loaded.error !== undefined) return <Failure error={loaded.error} retry={loaded.reload} />;
  if (loaded.value === undefined) return <Loading />;
  const { answer, elapsedMs } = loaded.value;
  return (
    <>
      <State answer={answer} elapsedMs={elapsedMs} />
      {answer.results.length === 0 ? (
        <Empty title={texts.none}>{texts.noneText}</Empty>
      ) : (
        <ol class="results">
          {answer.results.map((result, i) => (
            <li key={result.type === "memory" ? result.memory.id : `${result.conversation_id}/${i}`}>
              {result.type === "memory" ? <MemoryHit hit={result} /> : <MessagesHit hit={result} />}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function toBody(query: string): SearchBody {
  const place = filterValue<"memories">("in");
  const role = filterValue<"user">("roles");
  const minimum = filterValue("min_relevance");
  return {
    query,
    explain: true,
    mode: filterValue<"hybrid">("mode"),
    in: place === undefined ? ["conversations", "memories"] : [place],
    limit: Number(filterValue("limit") ?? 10),
    min_relevance: minimum === undefined ? undefined : Number(minimum),
    user_id: filterValue("user_id"),
    agent_id: filterValue("agent_id"),
    conversation_id: filterValue("conversation_id"),
    tags_any: filterValues("tags_any"),
    roles: role === undefined ? undefined : [role],
    created_after: filterDay("created_after"),
    created_before: filterDay("created_before"),
  } as SearchBody;
}

/** What the answer says of itself. */
function State({ answer, elapsedMs }: { answer: SearchAnswer; elapsedMs: number }) {
  return (
    <div class="search-state" role="status">
      <span class="note">{texts.found(answer.results.length, Math.round(elapsedMs))}</span>
      {answer.pending > 0 && <Badge tone="busy">{texts.pending(answer.pending)}</Badge>}
      {answer.below_min_relevance > 0 && (
        <Badge tone="plain">{texts.below(answer.below_min_relevance)}</Badge>
      )}
      {answer.degraded.map((reason) => (
        <span key={reason} title={texts.degradedText[reason]}>
          <Badge tone="bad">{texts.degraded[reason]}</Badge>
        </span>
      ))}
    </div>
  );
}

function MessagesHit({ hit }: { hit: MessagesResult }) {
  const matches = new Map(hit.matches.map((match) => [match.sequence, match]));
  const best = [...hit.matches].sort((a, b) => b.score - a.score)[0];
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
        <Relevance value={hit.relevance} />
      </header>
      {hit.messages.map((message) => (
        <MessageView
          key={message.id}
          message={message}
          isTarget={matches.has(message.sequence)}
          marks={(matches.get(message.sequence)?.highlights ?? []).map(({ start, end }) => ({
            start: start - (message.content_start ?? 0),
            end: end - (message.content_start ?? 0),
          }))}
        />
      ))}
      {best?.explanation && <Why explanation={best.explanation} score={best.score} />}
    </article>
  );
}

function MemoryHit({ hit }: { hit: MemoryResult }) {
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
        <Relevance value={hit.relevance} />
      </header>
      <Prose of={content} marks={hit.highlights} />
      {hit.explanation && <Why explanation={hit.explanation} score={hit.score} />}
    </article>
  );
}

/** Relevance from 0 to 1, with the lowest one that the search asked for. */
function Relevance({ value }: { value: number }) {
  const minimum = Number(filterValue("min_relevance") ?? 0);
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

const RETRIEVERS = ["message", "window", "conversation", "chunk"] as const;
const PRIORS = ["answer", "question", "time", "number", "date", "speaker", "phrase"] as const;

/** The components of a score: what each retriever gave, and each prior that is not 0. */
function Why({ explanation, score }: { explanation: SearchExplanation; score: number }) {
  const components = [...RETRIEVERS, ...PRIORS.filter((name) => explanation[name] !== 0)];
  const widest = Math.max(1, ...components.map((name) => Math.abs(explanation[name])));
  return (
    <details class="why">
      <summary>
        {texts.why} <span class="note">{texts.score(score.toFixed(3))}</span>
      </summary>
      <table>
        <tbody>
          {components.map((name) => (
            <tr key={name} class={(PRIORS as readonly string[]).includes(name) ? "prior" : "retriever"}>
              <th scope="row" title={texts.componentText[name]}>
                {texts.components[name]}
              </th>
              <td class="bar">
                <span
                  class={explanation[name] < 0 ? "below" : undefined}
                  style={{ width: `${(Math.abs(explanation[name]) / widest) * 100}%` }}
                />
              </td>
              <td class="number">{explanation[name].toFixed(3)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
