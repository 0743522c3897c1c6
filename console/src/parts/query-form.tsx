import { setQuery } from "../route.ts";
import { filterValue } from "./filters.tsx";

/** The field of a query. What is sent is kept in the URL, under `name`. */
export function QueryForm(props: {
  name: string;
  label: string;
  placeholder: string;
  submit: string;
  autofocus?: boolean;
}) {
  const { name, label, placeholder, submit, autofocus = false } = props;
  const asked = filterValue(name);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    setQuery({ [name]: String(new FormData(event.currentTarget as HTMLFormElement).get("q")) });
  };
  return (
    <search aria-label={label}>
      <form class="search" onSubmit={send}>
        <input
          {...(name === "q" && { "data-search": true, autofocus: autofocus && asked === undefined })}
          key={asked}
          type="search"
          name="q"
          aria-label={label}
          placeholder={placeholder}
          defaultValue={asked}
          autoComplete="off"
        />
        <button type="submit" class="primary">
          {submit}
        </button>
      </form>
    </search>
  );
}
