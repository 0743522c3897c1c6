import { createHash } from "node:crypto";
import type { Memory, MemoryVersion } from "@engram/spec";
import { wordIn } from "../clients/texts.ts";
import { describe, GIVEN_TAG, TEXT_MODEL } from "../ports/text-model.ts";
import { expect } from "../violation.ts";
import { isAsSent, type Marked } from "./judge.ts";
import type { MemoryModel, Model, OrganizationModel } from "./model.ts";
import { mayShowMemory, mayShowMessage, mustHold, mustShowMemory, mustShowMessage } from "./presence.ts";
import { noteMissed, noteSeen } from "./restorations.ts";
import { isOf, mayRead, mustRead, type Owner } from "./sharing.ts";
import type { Register, Span, Write } from "./write.ts";

/** A memory in a response. */
export type AnsweredMemory = Marked<Memory>;
/** A version of a memory in a response. */
export type AnsweredVersion = Marked<MemoryVersion>;

/** What the service or the text model sets, and what clients change. All of them are judged apart. */
const SET_ON_MEMORIES = [
  ...["id", "content", "content_hash", "tags", "summary", "enriched_by", "updated_at", "chunks", "sources"],
  ...["superseded_by", "valid_until", "shared", "expires_at"],
];

export class MemoryJudge {
  readonly #model: Model;
  readonly #organization: OrganizationModel;
  readonly #owner: Owner;

  /** @param owner The agent or user that the key is bound to. */
  constructor(model: Model, organization: OrganizationModel, owner: Owner) {
    this.#model = model;
    this.#organization = organization;
    this.#owner = owner;
  }

  /**
   * Checks a memory in a response.
   *
   * @param at When it was as shown, if it was asked for as of a moment. What was deleted since is not shown, and the
   *   sources are those of today.
   * @throws {Violation}
   */
  memory(shown: AnsweredMemory, span: Span, at = span): MemoryModel {
    const known = this.#model.memories.get(shown.metadata.marker ?? 0);
    expect(known !== undefined, "verbatim", () => `never captured: ${JSON.stringify(shown)}`);
    expect(known.organization === this.#organization, "isolation", () => `${shown.id} is another's`);
    expect(
      mayRead(this.#owner, known, span) && known.shared.possible(span).includes(shown.shared),
      "isolation",
      () => `${shown.id} is another agent's or user's, or is shown as shared: ${shown.shared}`,
    );
    expect(mayShowMemory(known, span), "deleted", () => `${shown.id} is shown`);
    noteSeen(known, span);
    known.id ??= shown.id;
    known.creation.done = Math.min(known.creation.done, span.end);
    const { sent } = known;
    expect(
      known.id === shown.id && isAsSent({ kind: "note", ...sent }, shown, SET_ON_MEMORIES),
      "verbatim",
      () => `sent ${JSON.stringify(sent)} as ${known.id}, got ${JSON.stringify(shown)}`,
    );
    expect(
      known.content.possible(at).includes(shown.content) && shown.content_hash === hashOf(shown.content),
      at === span ? "verbatim" : "moments",
      () => `${shown.id} holds ${JSON.stringify(shown.content)} under ${shown.content_hash}`,
    );
    expect(
      shown.expires_at === undefined || shown.expires_at === (sent.expires_at ?? null),
      "verbatim",
      () => `${shown.id} expires at ${shown.expires_at}`,
    );
    expect(
      known.creation.sent <= at.end,
      "moments",
      () => `${shown.id} is shown as of a moment before its capture`,
    );
    this.#descriptions(known, shown, at);
    this.#end(known, shown, at);
    this.#sources(known, shown, span);
    return known;
  }

  /** A memory ends when one that supersedes it begins, and names it. */
  #end(known: MemoryModel, shown: Pick<AnsweredMemory, "superseded_by" | "valid_until">, at: Span): void {
    const { superseded_by, valid_until } = shown;
    const ends = known.successor.writes.flatMap(({ value, write }) =>
      value === null || write.isRefused || write.sent > at.end
        ? []
        : [{ atTime: value.sent.valid_from ?? "", isSure: write.done <= at.begin }],
    );
    const isNamed = known.successor
      .possible(at)
      .some((one) => (one === null ? superseded_by === null : isCalled(one, superseded_by)));
    const isEnded =
      valid_until === null
        ? ends.every(({ isSure }) => !isSure)
        : ends.some(({ atTime }) => atTime === valid_until) &&
          ends.every(({ atTime, isSure }) => !isSure || atTime >= valid_until);
    expect(
      isNamed && isEnded,
      "validity",
      () => `${known.id} ends at ${valid_until} by ${superseded_by}, and may end at ${JSON.stringify(ends)}`,
    );
  }

  /** Checks all versions of a memory, newest first. @param span when the first of them was read. @throws {Violation} */
  versions(known: MemoryModel, shown: AnsweredVersion[], span: Span): void {
    const { content, sent, successor } = known;
    const [current] = shown;
    const oldest = shown.at(-1);
    expect(
      current !== undefined &&
        oldest?.content === sent.content &&
        content.possible(span).includes(current.content),
      "history",
      () => `${known.id} has the contents ${JSON.stringify(shown.map((one) => one.content))}`,
    );
    for (const [i, version] of shown.entries()) {
      const newer = shown[i - 1];
      expect(
        version.replaced_at === (newer?.stored_at ?? null) && version.version < (newer?.version ?? Infinity),
        "history",
        () => `version ${version.version} of ${known.id} ends at ${version.replaced_at}`,
      );
      expect(
        isWritten(content, version.content, span) &&
          version.content_hash === hashOf(version.content) &&
          version.metadata.marker === known.marker &&
          version.supersedes === (sent.supersedes ?? null) &&
          successor.writes.some(({ value }) => isCalled(value, version.superseded_by)) &&
          (version.superseded_by === null || newer === undefined || newer.superseded_by !== null),
        "history",
        () => `nobody wrote ${JSON.stringify(version)}`,
      );
    }
    const isDone = ({ write }: { write: Write }) => !write.isRefused && write.done <= span.begin;
    for (const { value } of content.writes.filter(isDone))
      expect(
        shown.some((version) => version.content === value),
        "history",
        () => `no version of ${known.id} holds ${JSON.stringify(value)}`,
      );
    for (const { value } of successor.writes.filter(isDone))
      expect(
        shown.some(({ superseded_by }) => isCalled(value, superseded_by)),
        "history",
        () => `no version of ${known.id} is superseded by ${value?.id}`,
      );
  }

  /** Checks a list that must contain every memory that existed throughout, and at the moment. @throws {Violation} */
  list(shown: AnsweredMemory[], owner: Owner, span: Span, at = span): void {
    const known = shown.map(({ metadata }) => this.#model.memories.get(metadata.marker ?? 0));
    expect(new Set(known).size === known.length, "lists", () => "a list shows a memory twice");
    for (const memory of this.#organization.memories) {
      if (!mustRead(owner, memory, span)) continue;
      if (known.includes(memory) || memory.creation.done > at.begin) continue;
      expect(!mustShowMemory(memory, span), "durable", () => `${memory.id} is missing from the list`);
      noteMissed(memory, span);
    }
  }

  /**
   * Checks that no other memory of the agent and user had this content when the memory took it. @throws {Violation}
   */
  soleHolder(memory: MemoryModel, content: string, span: Span): void {
    for (const other of this.#organization.memories) {
      if (other === memory || !isSameOwner(other, memory) || isExempt(other) || isExempt(memory)) continue;
      expect(
        !mustHold(other, content, span),
        "once",
        () => `${memory.id} holds the content that ${other.id} has`,
      );
    }
  }

  /**
   * The sources are those that were sent, each in a state that its message may have. A deleted message has no text in any of
   * them.
   */
  #sources({ sent: { sources = [] } }: MemoryModel, shown: AnsweredMemory, span: Span): void {
    const messages = this.#organization.conversations.flatMap(({ messages: all }) => all);
    for (const [i, { message_id, quote = null }] of sources.entries()) {
      const message = messages.find(({ id }) => id === message_id);
      const source = shown.sources[i];
      const isCited =
        message !== undefined &&
        source !== undefined &&
        source.message_id === message_id &&
        source.sequence === message.sequence &&
        (source.quote === quote || (source.quote === null && source.state !== "intact")) &&
        (source.state !== "deleted" || !mustShowMessage(message, span)) &&
        (source.state !== "edited" || message.content.writes.length > 1);
      expect(
        isCited,
        "sources",
        () => `${shown.id} cites ${JSON.stringify(sources)} as ${JSON.stringify(shown.sources)}`,
      );
      expect(
        mayShowMessage(message, span) || (source.state === "deleted" && source.quote === null),
        "sources",
        () => `${shown.id} cites the deleted ${message_id} as ${JSON.stringify(source)}`,
      );
    }
    expect(
      shown.sources.length === sources.length,
      "sources",
      () => `${shown.id} has sources that nobody sent: ${JSON.stringify(shown.sources)}`,
    );
  }

  /** Tags and summary come from a person, or from the model for this content. */
  #descriptions(known: MemoryModel, shown: AnsweredMemory, span: Span): void {
    const tags = known.tags.possible(span);
    const summaries = known.summary.possible(span);
    const said = describe(wordIn(shown.content));
    const isWritten = shown.enriched_by === TEXT_MODEL;
    expect(
      !isWritten || span.begin < known.authoredSince,
      "described",
      () => `${shown.id} is described by ${shown.enriched_by}, and a person has said it all`,
    );
    if (!isWritten && !tags.includes(undefined) && !summaries.includes(undefined)) {
      known.authoredSince = Math.min(known.authoredSince, span.end);
    }
    expect(
      tags.some((given) => given !== undefined && given.join() === shown.tags.join()) ||
        (tags.includes(undefined) &&
          (isWritten
            ? said.tags[0] === shown.tags[0] && shown.tags.every((tag) => this.#isOfModel(known, tag))
            : shown.tags.length === 0)),
      "described",
      () => `${shown.id} is tagged ${shown.tags}, given were ${JSON.stringify(tags)}`,
    );
    expect(
      summaries.some((given) => given !== undefined && given === shown.summary) ||
        (summaries.includes(undefined) &&
          (isWritten ? said.summary === shown.summary : shown.summary === null)),
      "described",
      () => `${shown.id} is summarized as ${shown.summary}, given were ${JSON.stringify(summaries)}`,
    );
  }

  /**
   * The model's own tags, or tags that people gave to memories of the same agent and user. A memory without an
   * agent accepts tags of any agent, and one without a user those of any user. If it has always been shared, it accepts
   * only those of shared memories. Such a memory may have a tag of another one from before it was shared.
   */
  #isOfModel(known: MemoryModel, tag: string): boolean {
    if (!tag.startsWith(GIVEN_TAG)) return /^(about|sim)-/.test(tag);
    const giver = this.#model.memories.get(Number(tag.slice(GIVEN_TAG.length)));
    if (giver === undefined) return false;
    if (!isAlwaysShared(known)) return mayLearnFrom(known, giver);
    return this.#organization.memories.some(
      (other) =>
        other.shared.writes.some(({ value, write }) => value && !write.isRefused) &&
        mayLearnFrom(known, other) &&
        (other === giver ||
          (mayBeTaggedByModel(other) && !isAlwaysShared(other) && mayLearnFrom(other, giver))),
    );
  }
}

/** Whether the model may be offered the tags of the other memory, unless the first one is shared. */
const mayLearnFrom = ({ organization, sent }: MemoryModel, other: MemoryModel): boolean =>
  other.organization === organization && isOf({ agentId: sent.agent_id, userId: sent.user_id }, other);

const isAlwaysShared = ({ shared }: MemoryModel): boolean => shared.writes.every(({ value }) => value);

const mayBeTaggedByModel = ({ tags }: MemoryModel): boolean =>
  tags.writes.some(({ value }) => value === undefined);

export const isSameOwner = (one: MemoryModel, other: MemoryModel): boolean =>
  one.sent.agent_id === other.sent.agent_id && one.sent.user_id === other.sent.user_id;

/** Whether other memories may have its content, because it has an external id. */
export const isExempt = ({ sent }: MemoryModel): boolean => sent.external_id !== undefined;

/** Whether a memory has this id. Its own is not known until a response contained it. */
const isCalled = (memory: MemoryModel | null, id: string | null): boolean =>
  memory === null ? id === null : id !== null && (memory.id ?? id) === id;

const isWritten = <Value>({ writes }: Register<Value>, value: Value, { end }: Span): boolean =>
  writes.some(({ value: written, write }) => written === value && !write.isRefused && write.sent <= end);

const hashOf = (content: string): string => createHash("sha256").update(content).digest("hex");
