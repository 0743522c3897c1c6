import type { Loaded } from "../load.ts";
import { Screen } from "./basics.tsx";
import { Failure, Loading } from "./states.tsx";

/** The screen of a single item that is being loaded, or cannot be. */
export function ItemState({ title, of: loaded }: { title: string; of: Loaded<unknown> }) {
  return (
    <Screen title={title}>
      {loaded.error === undefined ? <Loading /> : <Failure error={loaded.error} retry={loaded.reload} />}
    </Screen>
  );
}
