import type { RecalledItem } from "@engram/sdk";
import { useLoaded } from "../load.ts";
import { RECALLS } from "../recall-messages.ts";
import { type ItemNow, placeOfItem, type ReadItem } from "../recalled-items.ts";
import { linkTo } from "../route.ts";
import { Badge } from "./basics.tsx";
import { Text } from "./text.tsx";

const texts = RECALLS;
const TONES = { intact: "good", edited: "busy", deleted: "bad" } as const;

export const nameOf = ({ type, sequence }: RecalledItem): string =>
  type === "memory" ? texts.memory : texts.message(sequence);

export const useItem = (item: RecalledItem, read: ReadItem) => useLoaded(() => read(item), [item.id]);

/** An item of an answer: its first words with a link, and what it is. An item that is deleted has no words. */
export function RecalledItemName({ of: item, read }: { of: RecalledItem; read: ReadItem }) {
  const { value: now } = useItem(item, read);
  const { path, query } = placeOfItem(item);
  const name = nameOf(item);
  const shown = now?.text === undefined ? name : <Text of={now.text} />;
  return (
    <div class="mention">
      {now?.state === "deleted" ? (
        <span title={item.id}>{name}</span>
      ) : (
        <a data-item href={linkTo(path, query)}>
          {shown}
        </a>
      )}
      {now?.text !== undefined && (
        <p class="note">
          {name}
          {now.title && (
            <>
              {" · "}
              <Text of={now.title} />
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** Whether an item is as it was in the answer. */
export function RecalledState({ of: item, read }: { of: RecalledItem; read: ReadItem }) {
  const { value, error } = useItem(item, read);
  if (error !== undefined) return <span class="note">{texts.unreadable}</span>;
  return value === undefined ? null : <State of={value.state} />;
}

const State = ({ of: state }: { of: ItemNow["state"] }) => (
  <span title={texts.stateTexts[state]}>
    <Badge tone={TONES[state]}>{texts.states[state]}</Badge>
  </span>
);
