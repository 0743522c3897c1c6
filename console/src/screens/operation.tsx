import type { Operation } from "@engram/sdk";
import { useAction, useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Screen as Frame, Id, Json } from "../parts/basics.tsx";
import { ItemState } from "../parts/item-state.tsx";
import { ReceiptView, useOperation } from "../parts/receipt.tsx";
import { Failure } from "../parts/states.tsx";
import { route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.operations;

/** The types of work that can be canceled with a key. */
const CANCELABLE: readonly Operation["type"][] = [
  "delete_conversations",
  "delete_memories",
  "delete_user",
  "repair_index",
  "enrich_memories",
  "create_archive",
  "import",
];

export function Screen() {
  const id = route.value.path[1] ?? "";
  const loaded = useLoaded((signal) => engram().operations.get(id, { signal }), [id]);
  if (loaded.value === undefined || loaded.error !== undefined)
    return <ItemState title={texts.one} of={loaded} />;
  return <Shown key={loaded.value.status} first={loaded.value} reload={loaded.reload} />;
}

function Shown({ first, reload }: { first: Operation; reload(): void }) {
  const followed = useOperation(first);
  const { operation } = followed;
  const { error, run } = useAction();
  const cancel = () => run(() => engram().operations.cancel(operation.id).then(reload));
  return (
    <Frame
      title={MESSAGES.operationTypes[operation.type]}
      note={<Id id={operation.id} />}
      actions={
        operation.status === "running" &&
        CANCELABLE.includes(operation.type) && (
          <button type="button" class="danger" onClick={cancel}>
            {texts.cancel}
          </button>
        )
      }
    >
      {error !== undefined && <Failure error={error} />}
      <div class="card">
        <ReceiptView {...followed} />
      </div>
      <h2>{texts.asJson}</h2>
      <Json of={operation} />
    </Frame>
  );
}
