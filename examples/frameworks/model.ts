/**
 * The concierge's answer to a prompt, from a script, so that the examples always run the same way. A real
 * agent calls a language model here.
 */
export function answer(prompt: unknown): string {
  const text = JSON.stringify(prompt);
  if (!/dinner/.test(text)) return "Of course, I have taken care of it.";
  const allergen = /allergic to (\w+)/.exec(text)?.[1];
  if (allergen === undefined) return "Gladly. Is there anything that you cannot eat?";
  return `Booked for eight. I told the kitchen about your allergy to ${allergen}.`;
}
