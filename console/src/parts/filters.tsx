import { MESSAGES } from "../messages.ts";
import { goTo, route } from "../route.ts";

export interface Filter {
  /** Name of the query parameter, in the URL of the page and of the API. */
  name: string;
  label: string;
  /** Values to choose from. Without them, a text is typed in. */
  choices?: readonly string[];
  type?: "text" | "date";
  /** Shown when no value is set: an example, or what holds then. */
  placeholder?: string;
}

/** Filters of a list. They are kept in the URL, so that a filtered list can be linked to and Back undoes a filter. */
export function Filters(props: { filters: readonly Filter[]; label?: string }) {
  const { filters, label = MESSAGES.filters } = props;
  const { path, query } = route.value;
  const active = filters.filter(({ name }) => query.has(name)).length;
  const set = (name: string, value: string) => goTo(path, { ...Object.fromEntries(query), [name]: value });
  // What is searched for is no filter.
  const clear = () => {
    const names = new Set(filters.map(({ name }) => name));
    goTo(path, Object.fromEntries([...query].filter(([name]) => !names.has(name))));
  };
  return (
    <form class="filters" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      {filters.map((filter) => (
        <div key={filter.name} class={query.has(filter.name) ? "filter active" : "filter"}>
          <label for={`filter-${filter.name}`}>{filter.label}</label>
          <Control filter={filter} value={query.get(filter.name) ?? ""} set={set} />
        </div>
      ))}
      {active > 0 && (
        <button type="button" class="link" onClick={clear}>
          {MESSAGES.clearFilters}
        </button>
      )}
    </form>
  );
}

function Control(props: { filter: Filter; value: string; set(name: string, value: string): void }) {
  const { name, choices, type = "text", placeholder } = props.filter;
  const change = (event: { currentTarget: { value: string } }) =>
    props.set(name, event.currentTarget.value.trim());
  if (choices === undefined)
    return (
      <input
        {...(type === "date" ? { type } : { type, placeholder: placeholder ?? MESSAGES.any })}
        {...{ id: `filter-${name}`, name, value: props.value, onChange: change }}
        autoComplete="off"
        spellcheck={false}
      />
    );
  return (
    <select id={`filter-${name}`} name={name} value={props.value} onChange={change}>
      <option value="">{placeholder ?? MESSAGES.any}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice.replaceAll("_", " ")}
        </option>
      ))}
    </select>
  );
}

/** A filter's value in the URL. Undefined if it is not set. */
export const filterValue = <T extends string = string>(name: string): T | undefined =>
  (route.value.query.get(name) as T | null) ?? undefined;

/** Several values, separated by commas. */
export const toValues = (text: string | undefined): string[] | undefined =>
  text
    ?.split(",")
    .map((each) => each.trim())
    .filter(Boolean);

/** Start of a day in the user's zone, as the API takes it. Undefined for what is no day. */
export function toDay(text: string | undefined): string | undefined {
  const date = new Date(`${text ?? ""}T00:00:00`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
