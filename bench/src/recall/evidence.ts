/**
 * Ids of the turns that a question's evidence names, each once, in the order named.
 *
 * The data holds malformed ids: several in one text ("D8:6; D9:17"), a stray colon ("D:11:26"),
 * leading zeros ("D30:05"). They are repaired. What names no turn of the dialogue is left out, so
 * the answer may be empty.
 *
 * @param turnIds The `dia_id` of every turn of the question's own dialogue.
 */
export function repairEvidence(evidence: readonly string[], turnIds: ReadonlySet<string>): string[] {
  const repaired = evidence
    .flatMap((text) => text.split(/[\s,;]+/))
    .map((id) => id.replace(/^D:?0*(\d+):0*(\d+)$/, "D$1:$2"));
  return [...new Set(repaired)].filter((id) => turnIds.has(id));
}
