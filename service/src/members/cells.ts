import type { Invocation } from "../invocation.ts";
import { sha256Hex } from "../platform/digest.ts";
import { nothing, rows, run, sql } from "../platform/sql.ts";

/** What identifies a person: their email address, what an identity provider calls them, or both. */
interface Person {
  email: string | null;
  issuer?: string;
  subject?: string;
}

export async function hashesOf({ email, issuer, subject }: Person): Promise<string[]> {
  const names = [
    ...(email === null ? [] : [["email", email]]),
    ...(issuer === undefined || subject === undefined ? [] : [["subject", issuer, subject]]),
  ];
  return Promise.all(names.map((name) => sha256Hex(JSON.stringify(name))));
}

/** The organizations in cells in which the person may be a member. */
export async function findCells({ directory, defaultPlace }: Invocation, person: Person): Promise<string[]> {
  if (defaultPlace === undefined) return [];
  const hashes = JSON.stringify(await hashesOf(person));
  const statement = rows(
    sql`SELECT DISTINCT organization_id FROM cell_members
         WHERE person_hash IN (SELECT value FROM json_each(${hashes})) ORDER BY organization_id`,
    ({ organization_id }: { organization_id: string }) => organization_id,
  );
  return run(directory, statement);
}

/**
 * Lists the person for {@link findCells}, if the organization is in a cell. Before they become a member: who is listed and
 * no member is found in vain.
 */
export async function listPerson(
  { directory, placeOf }: Invocation,
  organizationId: string,
  person: Person,
): Promise<void> {
  if ((await placeOf(organizationId)) === "d1") return;
  const hashes = await hashesOf(person);
  const statement = nothing(sql`
    INSERT OR IGNORE INTO cell_members (person_hash, organization_id)
    SELECT value, ${organizationId} FROM json_each(${JSON.stringify(hashes)})`);
  if (hashes.length > 0) await run(directory, statement);
}
