import { MESSAGES } from "../messages.ts";
import { Copy } from "./basics.tsx";

/** A secret, which is shown this once. */
export function Secret(props: { of: { secret: string }; text?: string; close(): void }) {
  const { secret } = props.of;
  return (
    <>
      <p>{props.text ?? MESSAGES.secretOnce}</p>
      <p class="secret">
        <code>{secret}</code>
        <Copy text={secret} />
      </p>
      <footer class="actions">
        <button type="button" class="primary" onClick={props.close}>
          {MESSAGES.secretKept}
        </button>
      </footer>
    </>
  );
}
