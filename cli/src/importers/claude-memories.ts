import { type Entry, leftOut, notUnderstood } from "./importer.ts";
import { toMemoryLine } from "./memories.ts";
import { digestOf } from "./sessions.ts";
import { contentFlaw } from "./threads.ts";
import { type Fields, fieldsOf, joinTexts, listOf, present, textOf, timeOf } from "./values.ts";

const SOURCE = "claude";

const PROJECT_FIELDS = [
  ...["uuid", "name", "description", "prompt_template", "docs", "created_at", "updated_at", "creator"],
  ...["is_private", "is_starter_project", "is_starred", "archived_at", "archiver", "type", "subtype"],
  ...["docs_count", "files_count", "permissions"],
];
const MEMORY_FIELDS = ["account_uuid", "conversations_memory", "project_memories", "memory_files"];

export const isProject = (item: Fields): boolean => "prompt_template" in item || Array.isArray(item.docs);

export const isMemories = (item: Fields): boolean =>
  "conversations_memory" in item || "project_memories" in item || "memory_files" in item;

/** A project becomes a memory with its instructions, and one for each of its documents. */
export function* toProjectEntries(project: Fields, place: string): Generator<Entry, void, undefined> {
  const { uuid, name, description, prompt_template } = project;
  if (project.is_starter_project === true)
    return yield leftOut("project", "an example of the product", place);
  const instructions = joinTexts([description, prompt_template]);
  const docs = listOf(project.docs).map(fieldsOf);
  if (instructions === "" && docs.length === 0) yield leftOut("project", "empty", place);
  yield* unknownFields(project, PROJECT_FIELDS, place);
  const about = { project: name, project_id: uuid };
  if (instructions !== "")
    yield* toEntries({
      kind: "project",
      id: uuid,
      content: joinTexts([name, instructions]),
      createdAt: project.created_at,
      metadata: about,
      place,
    });
  for (const [i, doc] of docs.entries()) {
    const { filename } = doc;
    yield* toEntries({
      kind: "project document",
      id: doc.uuid ?? `${textOf(uuid) ?? ""}:${textOf(filename) ?? ""}`,
      content: doc.content,
      createdAt: doc.created_at,
      metadata: { ...about, filename },
      place: `${place}, document ${i + 1}${textOf(filename) === undefined ? "" : ` "${filename}"`}`,
    });
  }
}

/** What Claude remembers: of all chats, of each project, and in files. */
export function* toMemoryEntries(item: Fields, place: string): Generator<Entry, void, undefined> {
  const { account_uuid: id, conversations_memory } = item;
  yield* unknownFields(item, MEMORY_FIELDS, place);
  if (textOf(conversations_memory) !== undefined)
    yield* toEntries({ kind: "memory", id, content: conversations_memory, metadata: {}, place });
  for (const [project_id, content] of Object.entries(fieldsOf(item.project_memories)))
    yield* toEntries({
      kind: "project memory",
      id: project_id,
      content,
      metadata: { project_id },
      place: `${place}, project ${project_id}`,
    });
  for (const [i, file] of listOf(item.memory_files).map(fieldsOf).entries())
    yield* toEntries({
      kind: "memory file",
      id: `${textOf(id) ?? ""}:${textOf(file.path) ?? ""}`,
      content: file.content,
      createdAt: file.created_at ?? file.updated_at,
      metadata: { filename: file.path },
      place: `${place}, file ${textOf(file.path) ?? i + 1}`,
    });
}

/**
 * The content is part of the id, because Claude rewrites its memories: after a change, another import adds the new
 * version as another memory.
 */
function* toEntries({
  kind,
  id,
  content,
  createdAt,
  metadata,
  place,
}: {
  kind: string;
  id: unknown;
  content: unknown;
  createdAt?: unknown;
  metadata: Fields;
  place: string;
}): Generator<Entry, void, undefined> {
  const text = textOf(content);
  if (text === undefined || text.trim() === "") return yield leftOut(kind, "no text", place);
  const flaw = contentFlaw(text);
  if (flaw !== undefined) return yield leftOut(kind, flaw, place);
  const line = toMemoryLine({
    source: SOURCE,
    id: `${kind.replace(" ", "-")}:${digestOf([id, text])}`,
    content: text,
    createdAtMs: timeOf(createdAt),
    tags: [kind.split(" ")[0]],
    metadata: present({ source_id: id, ...metadata }),
  });
  yield { type: "memory", line, place };
}

const unknownFields = (item: Fields, known: string[], place: string): Entry[] =>
  Object.keys(present(item))
    .filter((name) => !known.includes(name))
    .map((name) => notUnderstood(`field ${name}`, "unknown", place));
