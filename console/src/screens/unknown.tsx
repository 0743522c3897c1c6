import { MESSAGES } from "../messages.ts";
import { Screen as Frame } from "../parts/basics.tsx";
import { linkTo } from "../route.ts";

export function Screen() {
  return (
    <Frame title={MESSAGES.noSuchPlace}>
      <a href={linkTo([])}>{MESSAGES.navigation.places[""]}</a>
    </Frame>
  );
}
