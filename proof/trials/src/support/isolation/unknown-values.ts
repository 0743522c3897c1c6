import type { Random } from "../../../../support/random.ts";
import { createSentences } from "../sentences.ts";
import { IDS, type Kind } from "./slots.ts";

const ID_LETTERS = [..."0123456789abcdefghjkmnpqrstvwxyz"];
const ID_CHARACTERS = 20;

/** A value that does not exist, in the form of an existing one. */
export function unknownValueLike(value: unknown, kind: Kind, random: Random): unknown {
  if (kind === "given_id") return randomId("conv", random);
  if (kind === "position" || IDS.some((id) => id === kind))
    return randomId(String(value).split("_", 1).join(), random);
  const { marker, text } = createSentences(`stranger ${random.next()}`).next().value;
  if (kind === "text") return text;
  if (kind === "metadata") return { case: marker };
  if (kind === "cursor")
    return Buffer.from(`${marker}${value}`).toString("hex").slice(0, String(value).length);
  return marker;
}

/** An id that was never assigned. */
export function randomId(prefix: string, random: Random): string {
  return `${prefix}_${Array.from({ length: ID_CHARACTERS }, () => random.pick(ID_LETTERS)).join("")}`;
}
