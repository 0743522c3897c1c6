import { randomBytes, randomInt } from "node:crypto";

const WORDS =
  "the a of and to in is it that for on with as was at by be from we you this have not are order refund invoice kettle delivery address Tuesday customer account password meeting deploy server release budget flight hotel recipe garden school doctor answer question please tomorrow morning broken new old small large green".split(
    " ",
  );

/** Everyday words, of about this length. */
export function sentence(bytes: number): string {
  let text = "";
  while (text.length < bytes) text += `${WORDS[randomInt(WORDS.length)]} `;
  return text.trimEnd();
}

/** A quarter of it words that occur once, which makes many terms. Exactly of this length. */
export function rareSentence(bytes: number): string {
  const rare = randomBytes(bytes).toString("hex").match(/.{7}/g) ?? [];
  return `${rare.join(" ").slice(0, bytes / 4)} ${sentence(bytes)}`.slice(0, bytes);
}

/** A message whose meaning no other message has. */
export function distinctSentence(): string {
  return `Note ${randomBytes(6).toString("hex")}: ${sentence(120)}`;
}
