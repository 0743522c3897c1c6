interface Field {
  safeParse(value: unknown): { success: boolean };
}

/** An item with null in all its fields but those that may be absent and never are null. @param schema of Zod. */
export const nullsOf = <Item>({ shape }: { shape: Record<keyof Item, Field>; _output: Item }): Item =>
  Object.fromEntries(
    Object.entries<Field>(shape)
      .filter(([, field]) => field.safeParse(null).success || !field.safeParse(undefined).success)
      .map(([name]) => [name, null]),
  ) as Item;
