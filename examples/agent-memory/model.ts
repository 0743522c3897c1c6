/** What the model wants next: to look into its memory, or to answer. */
export type Step = { recall: string } | { say: string };

/**
 * The next step on what a guest said, from a script, so that the example always goes the same way.
 *
 * A real agent asks a language model here, which gets `recall` as a tool.
 *
 * @param recalled What the memory gave, best first; null before it was asked.
 */
export function decide(said: string, recalled: string[] | null): Step {
  if (!/dinner/.test(said)) return { say: "Of course, I have taken care of it." };
  if (recalled === null) return { recall: "food allergies, things the guest cannot eat" };
  const allergen = recalled.map((text) => /allergic to (\w+)/.exec(text)?.[1]).find(Boolean);
  if (allergen === undefined) return { say: "Gladly. Is there anything that you cannot eat?" };
  return { say: `Booked for eight. I told the kitchen about your allergy to ${allergen}.` };
}
