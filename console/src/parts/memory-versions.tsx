import type { MemoryVersion } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { LATER } from "../later-messages.ts";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { engram } from "../session.ts";
import { changesOf } from "../text-changes.ts";
import { Badge, Time } from "./basics.tsx";
import { KeyName, useKeyNames } from "./key-name.tsx";
import { RelativeTime } from "./relative-time.tsx";
import { Failure, Loading } from "./states.tsx";
import { Pieces, Prose, Text } from "./text.tsx";

const texts = LATER.versions;
const LIMIT = 20;

type Field = keyof typeof texts.fields;
const FIELDS = Object.keys(texts.fields) as Field[];
const TIMES: readonly Field[] = ["valid_from", "valid_until", "occurred_at"];

/** The versions of a memory, the newest first, each with what changed since the one before it. */
export function MemoryVersions({ id, updatedAt }: { id: string; updatedAt: string }) {
  const pages = usePages(
    (signal) => engram().memories.listVersions(id, { limit: LIMIT }, { signal }),
    [id, updatedAt],
  );
  const { items, error, isLoading, hasMore, more, reload } = pages;
  const names = useKeyNames();
  const isFirst = items.length === 0;
  return (
    <section aria-label={texts.title}>
      <h2>{texts.title}</h2>
      {items.length === 1 && !hasMore && <p class="note">{texts.one}</p>}
      <ol class="versions">
        {items.map((version, i) => (
          <li key={version.version}>
            <p>
              <RelativeTime at={version.stored_at} />{" "}
              <span class="note">
                {texts.by} <By of={version} names={names} />
              </span>{" "}
              {version.replaced_at === null && <Badge tone="good">{texts.now}</Badge>}
            </p>
            <Changes of={version} before={items[i + 1]} isOldest={i === items.length - 1 && !hasMore} />
          </li>
        ))}
      </ol>
      {error !== undefined && <Failure error={error} retry={isFirst ? reload : more} />}
      {isLoading && isFirst && <Loading rows={2} />}
      {hasMore && error === undefined && (
        <button type="button" disabled={isLoading} onClick={more}>
          {MESSAGES.more}
        </button>
      )}
    </section>
  );
}

type Version = Pick<MemoryVersion, "key_id" | "enriched_by">;

function By({ of: { key_id, enriched_by }, names }: { of: Version; names: ReadonlyMap<string, string> }) {
  if (key_id !== null) return <KeyName id={key_id} names={names} />;
  return enriched_by === null ? texts.nobody : <Text of={enriched_by} />;
}

/** What a version changed. Nothing is said of one whose version before is not loaded. */
function Changes(props: { of: MemoryVersion; before: MemoryVersion | undefined; isOldest: boolean }) {
  const { of: version, before, isOldest } = props;
  const fields = before === undefined ? [] : FIELDS.filter((field) => !isSame(version[field], before[field]));
  return (
    <>
      {isOldest && <p>{texts.first}</p>}
      {before !== undefined && fields.length === 0 && <p>{texts.onlySources}</p>}
      {before !== undefined && fields.length > 0 && (
        <dl class="changes">
          {fields.map((field) => (
            <div key={field}>
              <dt>{texts.fields[field]}</dt>
              <dd>
                <Change field={field} before={before[field]} after={version[field]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {version.replaced_at !== null && (
        <details>
          <summary class="note">{texts.whole}</summary>
          <Prose of={version.content} />
        </details>
      )}
    </>
  );
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function Change({ field, before, after }: { field: Field; before: unknown; after: unknown }) {
  if (Array.isArray(before) && Array.isArray(after) && field === "tags")
    return (
      <>
        {before.filter((tag) => !after.includes(tag)).map((tag) => gone(tag, tag))}{" "}
        {after.filter((tag) => !before.includes(tag)).map((tag) => added(tag, tag))}
      </>
    );
  if (typeof before === "string" && typeof after === "string" && !TIMES.includes(field))
    return (
      <bdi class="text prose">
        {changesOf(before, after).map(({ kind, text }, i) => {
          if (kind === "added") return added(i, text);
          return kind === "removed" ? gone(i, text) : <Pieces key={i} of={text} />;
        })}
      </bdi>
    );
  return (
    <>
      {gone("before", formatValue(field, before))} {added("after", formatValue(field, after))}
    </>
  );
}

const shown = (value: ComponentChildren) => (typeof value === "string" ? <Pieces of={value} /> : value);
const gone = (key: string | number, value: ComponentChildren) => <del key={key}>{shown(value)}</del>;
const added = (key: string | number, value: ComponentChildren) => <ins key={key}>{shown(value)}</ins>;

/** A value of a field that is no text. */
function formatValue(field: Field, value: unknown): ComponentChildren {
  if (value === null) return texts.none;
  if (typeof value !== "string") return JSON.stringify(value);
  return TIMES.includes(field) ? <Time at={value} /> : value;
}
