import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

const FOLDER = join(import.meta.dirname, "../../../migrations");
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));

/** A database as it was before a migration, and what applies this and all later ones. */
function openBefore(name: string) {
  const database = new DatabaseSync(":memory:");
  const at = FILES.findIndex((file) => file.endsWith(name));
  const apply = (files: string[]) => {
    for (const file of files) database.exec(readFileSync(join(FOLDER, file), "utf8"));
  };
  apply(FILES.slice(0, at));
  return { database, migrate: () => apply(FILES.slice(at)) };
}

test("webhooks of an earlier version keep their settings, and send again from the oldest event that was set aside", () => {
  const { database, migrate } = openBefore("_webhook_schedule.sql");
  database.exec(`
    INSERT INTO webhooks (organization_id, id, url, disabled_reason, secret, position, attempts, created_at_ms, updated_at_ms)
    VALUES ('o', 'on', '', NULL, '', 9, 0, 1, 1), ('o', 'off', '', 'requested', '', 9, 0, 1, 1),
           ('o', 'gone', '', 'gone', '', 9, 0, 1, 1), ('o', 'aside', '', NULL, '', 9, 2, 1, 1),
           ('p', 'aside', '', 'failing', '', 9, 0, 1, 1);
    INSERT INTO webhook_deliveries (organization_id, webhook_id, sequence, attempts, next_attempt_at_ms, delivered_at_ms)
    VALUES ('o', 'on', 3, 11, NULL, NULL), ('o', 'on', 4, 2, NULL, 5),
           ('o', 'aside', 3, 11, NULL, NULL), ('o', 'aside', 5, 6, 7, NULL), ('o', 'aside', 6, 6, 7, NULL),
           ('o', 'aside', 10, 2, NULL, NULL);
    INSERT INTO audit_events (organization_id, id, action, target_id, created_at_ms)
    VALUES ('o', 'a', 'webhook.disabled', 'gone', 1), ('o', 'b', 'webhook.deleted', 'x', 1);
  `);
  migrate();
  const webhooks = database.prepare(
    "SELECT id, enabled, paused_reason, position, attempts FROM webhooks ORDER BY organization_id, id",
  );
  expect(webhooks.all().map((row) => Object.values(row))).toEqual([
    ["aside", 1, null, 4, 0],
    ["gone", 1, "gone", 9, 0],
    ["off", 0, null, 9, 0],
    ["on", 1, null, 9, 0],
    ["aside", 1, "failing", 9, 0],
  ]);
  const events = database.prepare("SELECT action FROM audit_events ORDER BY id");
  expect(events.all().map(({ action }) => action)).toEqual(["webhook.paused", "webhook.deleted"]);
});
