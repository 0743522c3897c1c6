/**
 * Ids of the turns that a question's evidence refers to, without duplicates, in order.
 *
 * Repairs malformed ids in the data: several in one text ("D8:6; D9:17"), a stray colon ("D:11:26"), leading
 * zeros ("D30:05"). Ids of unknown turns are left out, so the result may be empty.
 *
 * @param turnIds The `dia_id` of every turn of the question's own dialogue.
 */
export function repairEvidence(evidence: readonly string[], turnIds: ReadonlySet<string>): string[] {
  const repaired = evidence
    .flatMap((text) => text.split(/[\s,;]+/))
    .map((id) => id.replace(/^D:?0*(\d+):0*(\d+)$/, "D$1:$2"));
  return [...new Set(repaired)].filter((id) => turnIds.has(id));
}
