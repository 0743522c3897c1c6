import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useLoaded } from "../load.ts";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";
import { Text } from "./text.tsx";

const KEYS_MAX = 1_000;

export type KeyNames = ReadonlyMap<string, string>;

/** Names of the newest keys and members, by id. Empty until they are loaded, and for a key that may not list them. */
export function useKeyNames(): KeyNames {
  const { value } = useLoaded(async (signal) => {
    const { keys, members } = engram();
    const lists = [keys, members].map((list) =>
      list.list({ limit: PAGE_ITEMS_MAX }, { signal }).toArray({ max: KEYS_MAX }),
    );
    return new Map(
      (await Promise.all<{ id: string; name: string }[]>(lists)).flat().map(({ id, name }) => [id, name]),
    );
  }, []);
  return value ?? new Map();
}

/** A key or a member by its name, with a link to its usage, and its id below. */
export function KeyName({ id, names }: { id: string; names: KeyNames }) {
  const name = names.get(id);
  return (
    <>
      <a data-item href={linkTo(["usage"], { key_id: id })}>
        {name === undefined ? <code>{id}</code> : <Text of={name} />}
      </a>
      {name !== undefined && <code class="note minor">{id}</code>}
    </>
  );
}
