const STOP_WORDS = new Set(
  `about after all also and any anyone are because been before being between both but can cannot could did
  does doing done down during each ever every few for from further get give given gives goes going got had
  has have having her here hers him his how into isnt its just let like made make making many may more most
  much must mustnt nor not now off once one only other our ours out over own per put said same say she should
  some somebody such take than that thats the their them then there these they this those through too under
  until upon use used uses very via want was were what whats when where which while who whom whose why will
  with without wont would you your yours dont doesnt didnt cant neednt`.split(/\s+/),
);
/** Words with this many equal first letters count as one: "price", "prices", "priced". */
const STEM_LENGTH = 5;

/** The words of a text that carry its content, roughly stemmed. */
export function contentWords(text: string): Set<string> {
  const words =
    text
      .toLowerCase()
      .normalize("NFKD")
      .match(/[\p{L}\p{N}'’]+/gu) ?? [];
  const plain = words.map((word) => word.replace(/['’]s$/, "").replace(/['’]/g, ""));
  const telling = plain.filter((word) => word.length > 2 && !STOP_WORDS.has(word));
  return new Set(telling.map((word) => word.slice(0, STEM_LENGTH)));
}

/** Capitalized words that do not start a sentence, such as names. */
export function namesIn(text: string): Set<string> {
  return contentWords([...text.matchAll(/(?<=\s)\p{Lu}\p{L}+/gu)].join(" "));
}
