/** The agent and the user that conversations or memories belong to. */
interface Owner {
  user_id?: string | undefined;
  agent_id?: string | undefined;
}

/** The fields without null, which `checkOwner` rejects, although the service takes null for an absent field. */
export type NotNull<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], null> };

/**
 * Returns the options if their `user_id` and `agent_id` have values or are left out. An undefined one usually comes
 * from a session without a signed-in user, and would open the data of all users.
 *
 * @param verb What the adapter does with the data of all users if the option is left out.
 * @throws {TypeError} for an option that is present but undefined or null.
 */
export function checkOwner<Options extends Owner>(
  options: Options,
  verb: "search" | "open the conversations of",
): Options {
  for (const noun of ["user", "agent"] as const) {
    const name = `${noun}_id` as const;
    if (name in options && options[name] == null) {
      throw new TypeError(`${name} is ${options[name]}; leave the option out to ${verb} all ${noun}s`);
    }
  }
  return options;
}

/** The agent and the user whose memories a model stores: those whose memories it searches. */
export const ownerOf = ({ user_id, agent_id }: Owner): { user_id?: string; agent_id?: string } => ({
  ...(user_id !== undefined && { user_id }),
  ...(agent_id !== undefined && { agent_id }),
});
