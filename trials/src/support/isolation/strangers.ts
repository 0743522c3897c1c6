import type { Random } from "../../../../bench/src/chats/random.ts";
import { createSentences } from "../sentences.ts";
import { IDS, type Kind } from "./slots.ts";

const ID_LETTERS = [..."0123456789abcdefghjkmnpqrstvwxyz"];

/** A value of a kind that nobody has, in the form of one that somebody has. */
export function strangerTo(value: unknown, kind: Kind, random: Random): unknown {
  if (IDS.some((id) => id === kind)) {
    const [prefix = ""] = String(value).split(/(?<=_)/);
    return (
      prefix +
      String(value)
        .slice(prefix.length)
        .replace(/./g, () => random.pick(ID_LETTERS))
    );
  }
  const { marker, text } = createSentences(`stranger ${random.next()}`).next().value;
  if (kind === "text") return text;
  if (kind === "metadata") return { case: marker };
  if (kind === "cursor")
    return Buffer.from(`${marker}${value}`).toString("hex").slice(0, String(value).length);
  return marker;
}
