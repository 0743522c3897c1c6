import { MESSAGES } from "../messages.ts";
import { Empty } from "../parts/states.tsx";
import { linkTo } from "../route.ts";

export function Screen() {
  return (
    <Empty title={MESSAGES.noSuchPlace}>
      <a href={linkTo([])}>{MESSAGES.navigation.places[""]}</a>
    </Empty>
  );
}
