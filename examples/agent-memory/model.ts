/** The model's next action: search its memory, or reply. */
export type Step = { recall: string } | { say: string };

/**
 * Decides the next action from a script, so that the example always runs the same way.
 *
 * A real agent calls a language model here and offers it `recall` as a tool.
 *
 * @param recalled The memories found, best first; null before the search.
 */
export function decide(said: string, recalled: string[] | null): Step {
  if (!/dinner/.test(said)) return { say: "Of course, I have taken care of it." };
  if (recalled === null) return { recall: "food allergies, things the guest cannot eat" };
  const allergen = recalled.map((text) => /allergic to (\w+)/.exec(text)?.[1]).find(Boolean);
  if (allergen === undefined) return { say: "Gladly. Is there anything that you cannot eat?" };
  return { say: `Booked for eight. I told the kitchen about your allergy to ${allergen}.` };
}
