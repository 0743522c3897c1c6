/**
 * What a concierge answers who was given all of `prompt`, from a script, so that the examples always go the
 * same way. A language model stands here in a real agent.
 */
export function answer(prompt: unknown): string {
  const text = JSON.stringify(prompt);
  if (!/dinner/.test(text)) return "Of course, I have taken care of it.";
  const allergen = /allergic to (\w+)/.exec(text)?.[1];
  if (allergen === undefined) return "Gladly. Is there anything that you cannot eat?";
  return `Booked for eight. I told the kitchen about your allergy to ${allergen}.`;
}
