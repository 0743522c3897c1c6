import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { goTo, route } from "../route.ts";

/** The form of a screen. A field outside of its element belongs to it by the attribute `form`. */
export const ADDRESS_FORM = "address";

/**
 * The form of a screen, whose fields are kept in the query of the URL: a screen can be linked to, and Back undoes a
 * change. Each submit sends all fields. After each change of the URL, the fields have the values of the URL again.
 *
 * @param toValue The value in the URL of a field that shows another one, by name. The value of the field is left out.
 */
export function AddressForm(props: {
  label: string;
  toValue?: Readonly<Record<string, (shown: string) => string | undefined>>;
  children?: ComponentChildren;
}) {
  const { label, toValue = {}, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const { path, query } = route.value;
  useLayoutEffect(() => form.current?.reset(), [query.toString()]);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget as HTMLFormElement)].map(([name, value]) => {
      const shown = String(value).trim();
      return [name, Object.hasOwn(toValue, name) ? toValue[name]?.(shown) : shown] as const;
    });
    goTo(path, { ...Object.fromEntries(query), ...Object.fromEntries(fields) });
  };
  return (
    <form ref={form} id={ADDRESS_FORM} aria-label={label} onSubmit={send}>
      {children}
    </form>
  );
}

/** Sends the form that a field belongs to. */
export const sendForm = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }): void =>
  currentTarget.form?.requestSubmit();
