import type { OrganizationModel } from "../model/model.ts";
import type { Span, Write } from "../model/write.ts";
import { expect } from "../violation.ts";
import type { Answer } from "../world.ts";
import type { Client } from "./client.ts";

/** Whether a deletion is to leave a tombstone, which the model then knows. */
export function chooseForget({ organization, random }: Client, write: Write): boolean {
  const forgets = random.chance(0.25);
  if (forgets) organization.forgets.push({ write, userId: undefined });
  return forgets;
}

/** Whether a tombstone may refuse an item of this user. Which items it refuses is checked in the database. */
export const mayBeForgotten = (
  { forgets }: OrganizationModel,
  userId: string | undefined,
  { end }: Span,
): boolean =>
  forgets.some(
    (forget) =>
      !forget.write.isRefused &&
      forget.write.sent <= end &&
      (forget.userId === undefined || forget.userId === userId),
  );

/** Whether a request was refused because of a tombstone, for which there must be a deletion. @throws {Violation} */
export function isForgotten(
  { organization }: Client,
  userId: string | undefined,
  answer: Answer | null,
  span: Span,
): boolean {
  if (answer?.status !== 409 || answer.body.code !== "forgotten") return false;
  expect(
    mayBeForgotten(organization, userId, span),
    "answers",
    () => `an item of ${userId} is refused, and nothing was forgotten`,
  );
  return true;
}

/** Deletes tombstones: all, so that the few users come back, or the newest. */
export async function deleteTombstones(client: Client): Promise<void> {
  const { answer } = await client.ask({
    name: "list tombstones",
    method: "GET",
    path: "/v1/tombstones?limit=100",
  });
  if (answer?.status !== 200) return;
  const ids: string[] = answer.body.items.map(({ id }: { id: string }) => id);
  for (const id of client.random.chance(0.5) ? ids : ids.slice(0, 1))
    await client.ask({ name: "delete tombstone", method: "DELETE", path: `/v1/tombstones/${id}` });
}
