import { useEffect } from "preact/hooks";
import { findMessage } from "../ids.ts";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Screen as Frame } from "../parts/basics.tsx";
import { ItemState } from "../parts/item-state.tsx";
import { Empty } from "../parts/states.tsx";
import { replaceWith, route } from "../route.ts";

const texts = MESSAGES.conversation;

/** A message by its id alone. Goes on to the message in its conversation. */
export function Screen() {
  const id = route.value.path[1] ?? "";
  const loaded = useLoaded((signal) => findMessage(id, signal), [id]);
  const found = loaded.value;
  useEffect(() => {
    if (found) replaceWith(["conversations", found.conversation_id], { at: String(found.sequence) });
  }, [found]);
  if (found !== null) return <ItemState title={texts.oneMessage} of={loaded} />;
  return (
    <Frame title={texts.oneMessage}>
      <Empty title={texts.noSuchMessage}>{texts.noSuchMessageText}</Empty>
    </Frame>
  );
}
