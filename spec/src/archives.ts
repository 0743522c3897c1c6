import { createRoute, z } from "@hono/zod-openapi";
import {
  bodyProblems,
  Cursor,
  count,
  IdempotencyHeaders,
  id,
  integerQuery,
  jsonAnswer,
  jsonBody,
  keyProblems,
  OperationId,
  optionalOrNull,
  PageLimit,
  page,
  replayHeaders,
  requestIdHeader,
  requires,
  sdkExample,
  sdkMethod,
  timestamp,
  writeProblems,
} from "./common.ts";
import { EXPORT_EXAMPLE, ExportLine, NDJSON_TYPE } from "./exports.ts";
import { ARCHIVE_DAYS_MAX, ARCHIVES_MAX } from "./limits.ts";
import { CreateArchiveOperation } from "./operations.ts";
import { problems } from "./problem.ts";

export const ArchiveId = id("Id of an archive.", "arc_06e3tqz8m1k4v9x2c7d0");

/** Version of the lines that archives are made of. An import accepts those of each version up to this one. */
export const ARCHIVE_SCHEMA_VERSION = 1;

const KeepDays = z.int().min(1).max(ARCHIVE_DAYS_MAX);

export const Archive = z
  .strictObject({
    id: ArchiveId,
    operation_id: OperationId.meta({ description: "Id of the operation that writes the archive." }),
    created_at: timestamp(
      "Time when the archive was begun. It has everything that was stored by then and not deleted before the archive reached it.",
    ),
    completed_at: timestamp("Time when the archive was complete; null while it is written.").nullable(),
    expires_at: timestamp(
      "Time from which the archive is deleted; null if it is kept until you delete it.",
    ).nullable(),
    schema_version: z.int().min(1).meta({ description: "Version of the format of the lines." }),
    counts: z
      .strictObject({
        conversations: count("Number of conversations written so far."),
        messages: count("Number of messages written so far."),
        memories: count("Number of memories written so far."),
        memory_versions: count("Number of earlier versions of memories written so far."),
        recalls: count("Number of receipts of recall written so far."),
      })
      .meta({ description: "Lines of each type." }),
    part_count: count("Number of parts written so far."),
    bytes: count("Size of the parts in bytes, as lines."),
    stored_bytes: count("Size of the parts in bytes, as they are stored: compressed with gzip."),
  })
  .meta({
    description:
      "A copy of all conversations and memories of the organization, in an object store apart from the database. It outlives what is deleted later.",
  })
  .openapi("Archive");
export type Archive = z.infer<typeof Archive>;

export const ArchivePart = z
  .strictObject({
    number: z.int().min(1).meta({ description: "Number of the part, from 1." }),
    lines: count("Number of lines."),
    bytes: count("Size of the lines in bytes."),
    stored_bytes: count("Size in bytes as stored: compressed with gzip."),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({
        description: "SHA-256 of the lines, as `getArchiveLines` returns them.",
        examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
      }),
  })
  .meta({ description: "A part of an archive: some of its lines, in order." })
  .openapi("ArchivePart");
export type ArchivePart = z.infer<typeof ArchivePart>;

export const ArchiveManifest = z
  .strictObject({
    ...Archive.shape,
    parts: z.array(ArchivePart).meta({ description: "The parts, in order." }),
  })
  .meta({ description: "An archive with its parts, by which a copy of it can be verified." })
  .openapi("ArchiveManifest");
export type ArchiveManifest = z.infer<typeof ArchiveManifest>;

export const ArchiveSchedule = z
  .strictObject({
    every_days: KeepDays.nullable().meta({
      description: "An archive is begun each time this number of days has passed; null for none.",
      examples: [7],
    }),
    keep_days: KeepDays.nullable().meta({
      description: "Days after which such an archive expires; null to keep all.",
      examples: [30],
    }),
    next_at: timestamp("Time of the next archive; null if there is none.").nullable(),
  })
  .meta({ description: "When archives are begun without a request." })
  .openapi("ArchiveSchedule");
export type ArchiveSchedule = z.infer<typeof ArchiveSchedule>;

export const CreateArchiveBody = z
  .strictObject({
    expires_in_days: optionalOrNull(
      KeepDays.meta({
        description: "Days after which the archive is deleted. Default: it is kept until you delete it.",
        examples: [30],
      }),
    ),
  })
  .openapi("CreateArchiveBody", { example: { expires_in_days: 30 } });

export const createArchive = createRoute({
  operationId: "createArchive",
  ...sdkExample(`
    const { target_id, id } = await engram.archives.create({ expires_in_days: 30 });
    const { status } = await engram.operations.get(id);
  `),
  method: "post",
  path: "/v1/archives",
  tags: ["Archives"],
  summary: "Create an archive",
  description: `Begins an archive: a copy of all conversations and memories of the organization in the object store of the deployment, with the lines that \`exportData\` returns. It is written in the background, in parts of about 8 MiB, and continues where it was after any interruption. \`target_id\` of the operation is the id of the archive. As an export, it is no snapshot: what is created, changed or deleted meanwhile is archived as it is when the archive reaches it. An organization has at most ${ARCHIVES_MAX.toLocaleString("en-US")} archives. A deployment without an object store fails with 501.`,
  security: requires("admin"),
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateArchiveBody) },
  responses: {
    202: jsonAnswer("The operation that writes the archive.", CreateArchiveOperation, replayHeaders),
    ...problems(
      ...bodyProblems,
      "too_many_archives",
      "idempotency_mismatch",
      "not_configured",
      ...writeProblems,
    ),
  },
});

export const listArchives = createRoute({
  operationId: "listArchives",
  ...sdkExample(`
    for await (const { id, completed_at, counts } of engram.archives.list()) console.log(id, completed_at, counts);
  `),
  method: "get",
  path: "/v1/archives",
  tags: ["Archives"],
  summary: "List archives",
  description: "Returns a page of archives, newest first, also those that are still written.",
  security: requires("admin"),
  request: { query: z.strictObject({ limit: PageLimit.optional(), cursor: Cursor.optional() }) },
  responses: {
    200: jsonAnswer("A page of archives.", page(Archive, "ArchivePage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

export const getArchiveSchedule = createRoute({
  operationId: "getArchiveSchedule",
  ...sdkMethod({ method: "archives.getSchedule" }),
  ...sdkExample(`
    const { every_days, next_at } = await engram.archives.getSchedule();
  `),
  method: "get",
  path: "/v1/archives/schedule",
  tags: ["Archives"],
  summary: "Get the schedule of archives",
  description: "Returns when archives are begun without a request, and how long they are kept.",
  security: requires("admin"),
  responses: {
    200: jsonAnswer("The schedule. Without one, `every_days` is null.", ArchiveSchedule),
    ...problems(...keyProblems),
  },
});

export const SetArchiveScheduleBody = z
  .strictObject({
    every_days: ArchiveSchedule.shape.every_days,
    keep_days: ArchiveSchedule.shape.keep_days.optional().meta({
      description: "Days after which such an archive expires. Default null: all are kept.",
    }),
  })
  .openapi("SetArchiveScheduleBody", { example: { every_days: 7, keep_days: 30 } });

export const setArchiveSchedule = createRoute({
  operationId: "setArchiveSchedule",
  ...sdkMethod({ method: "archives.setSchedule", repeatable: true }),
  ...sdkExample(`
    await engram.archives.setSchedule({ every_days: 7, keep_days: 30 });
  `),
  method: "put",
  path: "/v1/archives/schedule",
  tags: ["Archives"],
  summary: "Set the schedule of archives",
  description:
    "Has an archive begun each time a number of days has passed, the first within a minute or so. Archives that exist keep the time at which they expire. None is begun while the organization has as many as it may have, or is being deleted.",
  security: requires("admin"),
  request: { body: jsonBody(SetArchiveScheduleBody) },
  responses: {
    200: jsonAnswer("The schedule.", ArchiveSchedule),
    ...problems(...bodyProblems, "not_configured", ...writeProblems),
  },
});

const params = z.object({ archive_id: ArchiveId });

export const getArchive = createRoute({
  operationId: "getArchive",
  ...sdkExample(`
    const { target_id } = await engram.archives.create();
    const { parts, counts, completed_at } = await engram.archives.get(target_id);
  `),
  method: "get",
  path: "/v1/archives/{archive_id}",
  tags: ["Archives"],
  summary: "Get an archive",
  description:
    "Returns an archive with the size and the SHA-256 of each of its parts. Once it is complete, this does not change any more, and the object store has it as `manifest.json` beside the parts.",
  security: requires("admin"),
  request: { params },
  responses: {
    200: jsonAnswer("The archive.", ArchiveManifest),
    ...problems("not_found", ...keyProblems),
  },
});

export const getArchiveLines = createRoute({
  operationId: "getArchiveLines",
  ...sdkMethod({ method: "archives.partLines" }),
  ...sdkExample(`
    for await (const text of engram.archives.partLines(archive.id, { part: 1 })) console.log(text);
  `),
  method: "get",
  path: "/v1/archives/{archive_id}/lines",
  tags: ["Archives"],
  summary: "Get the lines of an archive",
  description:
    "Returns the lines of one part, one JSON object per line. All parts in order are the lines of an export: the last part ends with a line of the type `end`. `importLines` accepts them as they are.",
  security: requires("admin"),
  request: {
    params,
    query: z.strictObject({
      part: integerQuery(1, 1_000_000, "Number of the part, from 1. Default 1.").optional(),
    }),
  },
  responses: {
    200: {
      description: "Lines of JSON, each of which has this schema.",
      headers: requestIdHeader,
      content: { [NDJSON_TYPE]: { schema: ExportLine, example: EXPORT_EXAMPLE } },
    },
    ...problems("validation_failed", "not_found", ...writeProblems),
  },
});

export const deleteArchive = createRoute({
  operationId: "deleteArchive",
  ...sdkExample(`
    await engram.archives.delete(archive.id);
  `),
  method: "delete",
  path: "/v1/archives/{archive_id}",
  tags: ["Archives"],
  summary: "Delete an archive",
  description:
    "Deletes an archive: it is excluded from every response, and its objects are removed within some minutes. One that is still written is canceled. Until its objects are removed, receipts of deletions name it.",
  security: requires("admin"),
  request: { params },
  responses: {
    200: jsonAnswer("The archive as it was.", Archive),
    ...problems("not_found", ...writeProblems),
  },
});
