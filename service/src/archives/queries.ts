import {
  ARCHIVE_SCHEMA_VERSION,
  type Archive,
  type ArchivePart,
  type ArchiveSchedule,
  RECEIPT_ARCHIVES_MAX,
} from "@engram/spec";
import { toTimestamp, toTimestampOrNull } from "../platform/batch.ts";
import { eventOf, recordedEvents } from "../platform/recorded-events.ts";
import { type Round, roundRobin } from "../platform/round-robin.ts";
import {
  assertThat,
  changes,
  columns,
  literal,
  nothing,
  onlyRow,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";

export const DAYS_MS = 24 * 3_600_000;

/** An archive of an organization. */
export interface ArchiveRef {
  organizationId: string;
  id: string;
}

interface ArchiveRow {
  id: string;
  operation_id: string;
  part_count: number;
  conversation_count: number;
  message_count: number;
  memory_count: number;
  version_count: number;
  recall_count: number;
  bytes: number;
  stored_bytes: number;
  created_at_ms: number;
  completed_at_ms: number | null;
  expires_at_ms: number | null;
}

const COLUMNS = columns([
  ...["id", "operation_id", "part_count", "conversation_count", "message_count", "memory_count"],
  ...["version_count", "recall_count", "bytes", "stored_bytes"],
  ...["created_at_ms", "completed_at_ms", "expires_at_ms"],
]);

const toArchive = (row: ArchiveRow): Archive => ({
  id: row.id,
  operation_id: row.operation_id,
  created_at: toTimestamp(row.created_at_ms),
  completed_at: toTimestampOrNull(row.completed_at_ms),
  expires_at: toTimestampOrNull(row.expires_at_ms),
  schema_version: ARCHIVE_SCHEMA_VERSION,
  counts: {
    conversations: row.conversation_count,
    messages: row.message_count,
    memories: row.memory_count,
    memory_versions: row.version_count,
    recalls: row.recall_count,
  },
  part_count: row.part_count,
  bytes: row.bytes,
  stored_bytes: row.stored_bytes,
});

/** As many of the archives that may still have what was deleted as a receipt names, and the number of all. */
export interface ArchivesLeft {
  count: number;
  named: { id: string; expires_at_ms: number | null }[];
}

/**
 * The {@link ArchivesLeft} of an operation as JSON: the archives that began before its last row was removed, those that
 * are kept longest first. `operation` is the alias of its row.
 */
export const archivesOf = (operation: Sql): Sql => sql`
  (SELECT json_object('count', coalesce(max(n), 0),
                      'named', json_group_array(json_object('id', id, 'expires_at_ms', expires_at_ms)))
     FROM (SELECT a.id, a.expires_at_ms, count(*) OVER () AS n FROM archives AS a
            WHERE a.organization_id = ${operation}.organization_id
              AND a.created_at_ms <= coalesce(${operation}.rows_deleted_at_ms, a.created_at_ms)
            ORDER BY a.expires_at_ms DESC NULLS FIRST, a.id DESC LIMIT ${literal(RECEIPT_ARCHIVES_MAX)}))`;

const isOne = ({ organizationId, id }: ArchiveRef): Sql =>
  sql`organization_id = ${organizationId} AND id = ${id} AND deleted_at_ms IS NULL`;

export const assertRoom = (organizationId: string, archivesMax: number): Statement<void> =>
  assertThat(
    "too_many_archives",
    sql`(SELECT count(*) FROM archives WHERE organization_id = ${organizationId}) < ${archivesMax}`,
  );

export interface NewArchive extends ArchiveRef {
  operationId: string;
  /** The position before the first line, as JSON. */
  start: string;
  nowMs: number;
}

/** @param expiresAtMs null if it is kept. */
export const insertedArchive = (archive: NewArchive, expiresAtMs: number | null): Statement<void> =>
  insertedFrom(archive, sql`${expiresAtMs}`, sql``);

const insertedFrom = (
  { organizationId, id, operationId, start, nowMs }: NewArchive,
  expiresAtMs: Sql,
  from: Sql,
): Statement<void> =>
  nothing(sql`
    INSERT INTO archives (organization_id, id, operation_id, position, created_at_ms, expires_at_ms)
    SELECT ${organizationId}, ${id}, ${operationId}, ${start}, ${nowMs}, ${expiresAtMs} ${from}`);

export const exists = ({ organizationId, id }: ArchiveRef): Sql =>
  sql`EXISTS (SELECT 1 FROM archives WHERE ${isOne({ organizationId, id })})`;

/** Newest first. */
export const selectArchives = (
  db: D1Database,
  { organizationId, beforeId, limit }: { organizationId: string; beforeId: string | null; limit: number },
): Promise<Archive[]> =>
  run(
    db,
    rows(
      sql`SELECT ${COLUMNS} FROM archives
           WHERE organization_id = ${organizationId} AND id < coalesce(${beforeId}, 'arc~') AND deleted_at_ms IS NULL
           ORDER BY id DESC LIMIT ${limit}`,
      toArchive,
    ),
  );

export const archiveById = (ref: ArchiveRef): Statement<Archive | null> =>
  row(sql`SELECT ${COLUMNS} FROM archives WHERE ${isOne(ref)}`, toArchive);

const PART_COLUMNS = columns(["number", "lines", "bytes", "stored_bytes", "sha256"]);

const isPartOf = ({ organizationId, id }: ArchiveRef): Sql =>
  sql`organization_id = ${organizationId} AND archive_id = ${id}`;

export const partsOf = (ref: ArchiveRef): Statement<ArchivePart[]> =>
  rows(
    sql`SELECT ${PART_COLUMNS} FROM archive_parts WHERE ${isPartOf(ref)} ORDER BY number`,
    (part: ArchivePart) => part,
  );

export const hasPart = (ref: ArchiveRef, number: number): Sql => sql`
  ${exists(ref)} AND EXISTS (SELECT 1 FROM archive_parts WHERE ${isPartOf(ref)} AND number = ${number})`;

export const partByNumber = (ref: ArchiveRef, number: number): Statement<ArchivePart | null> =>
  row(
    sql`SELECT ${PART_COLUMNS} FROM archive_parts WHERE ${isPartOf(ref)} AND number = ${number}`,
    (part: ArchivePart) => part,
  );

/** An archive that a run continues. */
export interface OpenArchive extends ArchiveRef {
  operationId: string;
  /** The last line that a part has, as JSON; null once all lines are written. */
  position: string | null;
  partCount: number;
  /** Until when an earlier run may still store an object; null if none may. */
  writingUntilMs: number | null;
}

interface OpenRow {
  organization_id: string;
  id: string;
  operation_id: string;
  position: string | null;
  part_count: number;
  writing_until_ms: number | null;
}

const toOpen = (row: OpenRow): OpenArchive => ({
  organizationId: row.organization_id,
  id: row.id,
  operationId: row.operation_id,
  position: row.position,
  partCount: row.part_count,
  writingUntilMs: row.writing_until_ms,
});

const IS_WRITING = sql`completed_at_ms IS NULL AND deleted_at_ms IS NULL`;
const IS_DELETED = sql`deleted_at_ms IS NOT NULL`;
/** Nothing is copied of an organization that is being deleted. */
const IS_KEPT = sql`
  NOT EXISTS (SELECT 1 FROM organizations AS o WHERE o.id = organization_id AND o.deleted_at_ms IS NOT NULL)`;

/** Unfinished archives that no run has announced to write since. */
const isFree = (announcedBeforeMs: number): Sql =>
  sql`${IS_WRITING} AND coalesce(writing_until_ms, 0) < ${announcedBeforeMs} AND ${IS_KEPT}`;

/** The oldest unfinished archives, of each organization in turn, that no other run has begun to write a part of since. */
export const selectOpenArchives = (
  db: D1Database,
  { round, announcedBeforeMs, limit }: { round: Round; announcedBeforeMs: number; limit: number },
): Promise<OpenArchive[]> =>
  run(
    db,
    rows(
      sql`${roundRobin(
        {
          table: sql`archives`,
          key: sql`organization_id`,
          all: IS_WRITING,
          waits: () => isFree(announcedBeforeMs),
          order: sql`rowid`,
        },
        round,
      )}
      SELECT a.organization_id, a.id, a.operation_id, a.position, a.part_count, a.writing_until_ms
        FROM line CROSS JOIN archives AS a ON a.rowid = line.id ORDER BY line.position, line.turn LIMIT ${limit}`,
      toOpen,
    ),
  );

/** Whether there is an unfinished archive to write. */
export const hasOpenArchives: Statement<boolean> = onlyRow(
  sql`SELECT EXISTS (SELECT 1 FROM archives WHERE ${IS_WRITING} AND ${IS_KEPT}) AS found`,
  ({ found }: { found: 0 | 1 }) => found === 1,
);

/** Reads an archive that a run continues; null if it is complete or deleted, or another run writes it. */
export const selectOpenArchive = (
  db: D1Database,
  { organizationId, id }: ArchiveRef,
  announcedBeforeMs: number,
) =>
  run(
    db,
    row(
      sql`SELECT organization_id, id, operation_id, position, part_count, writing_until_ms FROM archives
           WHERE organization_id = ${organizationId} AND id = ${id} AND ${isFree(announcedBeforeMs)}`,
      toOpen,
    ),
  );

/** Whether the archive is as it was read. */
const isUnchanged = ({ organizationId, id, partCount }: OpenArchive): Sql =>
  sql`organization_id = ${organizationId} AND id = ${id} AND ${IS_WRITING} AND part_count = ${partCount}`;

/**
 * Announces that the run may store objects until a time, later than any other has announced. Resolves to whether the
 * archive is as it was read: if not, another run was first.
 */
export const announcedWriting = async (db: D1Database, archive: OpenArchive, untilMs: number) =>
  (await run(
    db,
    changes(sql`
      UPDATE archives SET writing_until_ms = ${untilMs}
       WHERE ${isUnchanged(archive)} AND writing_until_ms IS ${archive.writingUntilMs}`),
  )) > 0;

/**
 * The announcement once this run has stored its object: that of the run before, which was taken over and may still store
 * one, or that of another that has taken over since.
 */
const withoutOwn = ({ writingUntilMs }: OpenArchive, untilMs: number): Sql =>
  sql`iif(writing_until_ms = ${untilMs}, ${writingUntilMs}, writing_until_ms)`;

/** Lines of a part by their type. */
export type LineCounts = Record<"conversation" | "message" | "memory" | "memory_version" | "recall", number>;

/** What a run has written. */
export interface WrittenPart extends ArchivePart {
  counts: LineCounts;
  /** As JSON; null if these were the last lines. */
  position: string | null;
}

/** Adds a part, unless another run has. `untilMs` is what this run has announced. */
export const addedPart = (archive: OpenArchive, part: WrittenPart, untilMs: number) => {
  const { counts } = part;
  const { organizationId, id, operationId } = archive;
  return {
    part: nothing(sql`
      INSERT INTO archive_parts (organization_id, archive_id, ${PART_COLUMNS})
      SELECT ${organizationId}, ${id}, ${part.number}, ${part.lines}, ${part.bytes}, ${part.stored_bytes}, ${part.sha256}
        FROM archives WHERE ${isUnchanged(archive)}`),
    operation: nothing(sql`
      UPDATE operations SET done = done + ${part.lines}
       WHERE organization_id = ${organizationId} AND id = ${operationId}
         AND EXISTS (SELECT 1 FROM archives WHERE ${isUnchanged(archive)})`),
    archive: changes(sql`
      UPDATE archives
         SET part_count = part_count + 1, position = ${part.position}, bytes = bytes + ${part.bytes},
             stored_bytes = stored_bytes + ${part.stored_bytes},
             conversation_count = conversation_count + ${counts.conversation},
             message_count = message_count + ${counts.message}, memory_count = memory_count + ${counts.memory},
             version_count = version_count + ${counts.memory_version},
             recall_count = recall_count + ${counts.recall},
             writing_until_ms = ${withoutOwn(archive, untilMs)}
       WHERE ${isUnchanged(archive)}`),
  } satisfies Statements;
};

/** Completes an archive whose manifest is stored, and its operation. */
export const completedArchive = (
  archive: OpenArchive,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
) => {
  const { organizationId, operationId } = archive;
  const isOpen = sql`organization_id = ${organizationId} AND id = ${operationId} AND completed_at_ms IS NULL
    AND EXISTS (SELECT 1 FROM archives WHERE ${isUnchanged(archive)})`;
  return {
    event: recordedEvents(
      organizationId,
      nowMs,
      sql`${eventOf("operation.updated", sql`id`)} FROM operations WHERE ${isOpen}`,
    ),
    operation: nothing(sql`UPDATE operations SET completed_at_ms = ${nowMs}, total = done WHERE ${isOpen}`),
    archive: nothing(sql`
      UPDATE archives SET completed_at_ms = ${nowMs}, writing_until_ms = ${withoutOwn(archive, untilMs)}
       WHERE ${isUnchanged(archive)}`),
  } satisfies Statements;
};

/** Cancels the operations of unfinished archives, which a condition on `archives` selects. */
const canceledWriting = (organizationId: string, isGoing: Sql, nowMs: number) => {
  const isOpen = sql`organization_id = ${organizationId} AND type = 'create_archive' AND completed_at_ms IS NULL
    AND id IN (SELECT operation_id FROM archives WHERE ${isGoing} AND ${IS_WRITING})`;
  return {
    event: recordedEvents(
      organizationId,
      nowMs,
      sql`${eventOf("operation.updated", sql`id`)} FROM operations WHERE ${isOpen}`,
    ),
    operation: nothing(
      sql`UPDATE operations SET canceled_at_ms = ${nowMs}, completed_at_ms = ${nowMs} WHERE ${isOpen}`,
    ),
  } satisfies Statements;
};

/** Deletes an archive, and cancels its writing. Resolves to null if there is none. */
export const deletedArchive = (ref: ArchiveRef, nowMs: number) =>
  ({
    exists: assertThat("not_found", exists(ref)),
    deleted: archiveById(ref),
    writing: canceledWriting(ref.organizationId, isOne(ref), nowMs),
    marked: nothing(sql`UPDATE archives SET deleted_at_ms = ${nowMs} WHERE ${isOne(ref)}`),
  }) satisfies Statements;

interface Writer {
  organizationId: string;
  operationId: string;
}

const isWrittenBy = ({ organizationId, operationId }: Writer): Sql =>
  sql`organization_id = ${organizationId} AND operation_id = ${operationId} AND ${IS_WRITING}`;

/** The id of the unfinished archive of an operation; null if it has none. */
export const archiveWrittenBy = (writer: Writer): Sql =>
  sql`(SELECT id FROM archives WHERE ${isWrittenBy(writer)})`;

/** Deletes the archive of an operation that is canceled. */
export const deletedArchiveOf = (writer: Writer, nowMs: number): Statement<void> =>
  nothing(sql`UPDATE archives SET deleted_at_ms = ${nowMs} WHERE ${isWrittenBy(writer)}`);

/** Deletes all archives of an organization that is deleted, and its schedule. @param isDeleting whether it still is. */
export const deletedArchivesOf = (organizationId: string, isDeleting: Sql, nowMs: number) => {
  const isGoing = sql`organization_id = ${organizationId} AND deleted_at_ms IS NULL AND ${isDeleting}`;
  return {
    writing: canceledWriting(organizationId, isGoing, nowMs),
    marked: nothing(sql`UPDATE archives SET deleted_at_ms = ${nowMs} WHERE ${isGoing}`),
    schedule: nothing(sql`
      DELETE FROM archive_schedules WHERE organization_id = ${organizationId} AND ${isDeleting}`),
    hasArchives: onlyRow(
      sql`SELECT EXISTS (SELECT 1 FROM archives WHERE organization_id = ${organizationId}) AS found`,
      ({ found }: { found: 0 | 1 }) => found === 1,
    ),
  } satisfies Statements;
};

/** Deletes an archive whose time is over. */
export const expiredArchive = (ref: ArchiveRef, nowMs: number) =>
  ({
    writing: canceledWriting(ref.organizationId, isOne(ref), nowMs),
    marked: nothing(sql`UPDATE archives SET deleted_at_ms = ${nowMs} WHERE ${isOne(ref)}`),
  }) satisfies Statements;

const toRef = (row: { organization_id: string; id: string }): ArchiveRef => ({
  organizationId: row.organization_id,
  id: row.id,
});

/** Archives whose time is over. */
export const expiredArchives = ({
  nowMs,
  limit,
}: {
  nowMs: number;
  limit: number;
}): Statement<ArchiveRef[]> =>
  rows(
    sql`SELECT organization_id, id FROM archives
         WHERE expires_at_ms <= ${nowMs} AND deleted_at_ms IS NULL ORDER BY expires_at_ms LIMIT ${limit}`,
    toRef,
  );

/** Deleted archives whose objects are to be removed, of each organization in turn. */
export const deletedArchives = (round: Round): Statement<ArchiveRef[]> =>
  rows(
    sql`${roundRobin(
      {
        table: sql`archives`,
        key: sql`organization_id`,
        all: IS_DELETED,
        waits: () => IS_DELETED,
        order: sql`rowid`,
      },
      round,
    )}
    SELECT a.organization_id, a.id FROM line CROSS JOIN archives AS a ON a.rowid = line.id
     ORDER BY line.position, line.turn LIMIT ${round.rowsMax}`,
    toRef,
  );

/** Removes the rows of a deleted archive without objects, unless a run may still store one. */
export const removedArchive = ({ organizationId, id }: ArchiveRef, nowMs: number) => {
  const isOver = sql`organization_id = ${organizationId} AND id = ${id} AND ${IS_DELETED}
    AND coalesce(writing_until_ms, 0) < ${nowMs}`;
  return {
    parts: nothing(sql`
      DELETE FROM archive_parts WHERE ${isPartOf({ organizationId, id })}
         AND EXISTS (SELECT 1 FROM archives WHERE ${isOver})`),
    archive: nothing(sql`DELETE FROM archives WHERE ${isOver}`),
  } satisfies Statements;
};

interface ScheduleRow {
  every_days: number;
  keep_days: number | null;
  next_at_ms: number;
}

export const scheduleOf = (organizationId: string): Statement<ArchiveSchedule | null> =>
  row(
    sql`SELECT every_days, keep_days, next_at_ms FROM archive_schedules WHERE organization_id = ${organizationId}`,
    ({ every_days, keep_days, next_at_ms }: ScheduleRow) => ({
      every_days,
      keep_days,
      next_at: toTimestamp(next_at_ms),
    }),
  );

/** The first archive of a new schedule is due at once. With another interval, the next one is due after it at the latest. */
export const setSchedule = (
  organizationId: string,
  { everyDays, keepDays, nowMs }: { everyDays: number; keepDays: number | null; nowMs: number },
): Statement<void> =>
  nothing(sql`
    INSERT INTO archive_schedules (organization_id, every_days, keep_days, next_at_ms)
    VALUES (${organizationId}, ${everyDays}, ${keepDays}, ${nowMs})
    ON CONFLICT (organization_id) DO UPDATE
       SET every_days = excluded.every_days, keep_days = excluded.keep_days,
           next_at_ms = min(next_at_ms, ${nowMs + everyDays * DAYS_MS})`);

export const deletedSchedule = (organizationId: string): Statement<void> =>
  nothing(sql`DELETE FROM archive_schedules WHERE organization_id = ${organizationId}`);

/** A schedule whose next archive is due. */
export interface DueSchedule {
  organizationId: string;
  nextAtMs: number;
}

/** Schedules that are due, of organizations that have room for an archive, are writing none and are not being deleted. */
export const dueSchedules = ({
  nowMs,
  limit,
  archivesMax,
}: {
  nowMs: number;
  limit: number;
  archivesMax: number;
}): Statement<DueSchedule[]> =>
  rows(
    sql`SELECT organization_id, next_at_ms FROM archive_schedules AS s
         WHERE next_at_ms <= ${nowMs} AND ${IS_KEPT}
           AND NOT EXISTS (SELECT 1 FROM archives AS a WHERE a.organization_id = s.organization_id
                              AND a.completed_at_ms IS NULL AND a.deleted_at_ms IS NULL)
           AND (SELECT count(*) FROM archives AS a WHERE a.organization_id = s.organization_id) < ${archivesMax}
         ORDER BY next_at_ms LIMIT ${limit}`,
    (row: { organization_id: string; next_at_ms: number }) => ({
      organizationId: row.organization_id,
      nextAtMs: row.next_at_ms,
    }),
  );

const isDue = ({ organizationId, nextAtMs }: DueSchedule): Sql =>
  sql`organization_id = ${organizationId} AND next_at_ms = ${nextAtMs}`;

/** Begins the archive of a schedule, unless another run has, or the organization is deleted since. */
export const scheduledArchive = (archive: NewArchive, due: DueSchedule): Statement<void> =>
  insertedFrom(
    archive,
    sql`${archive.nowMs} + keep_days * ${DAYS_MS}`,
    sql`FROM archive_schedules WHERE ${isDue(due)} AND ${IS_KEPT}`,
  );

export const advancedSchedule = (due: DueSchedule, nowMs: number): Statement<void> =>
  nothing(sql`
    UPDATE archive_schedules SET next_at_ms = ${nowMs} + every_days * ${DAYS_MS} WHERE ${isDue(due)}`);
