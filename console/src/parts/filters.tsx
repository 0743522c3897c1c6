import { useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { route } from "../route.ts";
import { ADDRESS_FORM, AddressForm, sendForm } from "./address-form.tsx";

export interface Filter {
  /** Name of the query parameter, in the URL of the page and of the API. */
  name: string;
  label: string;
  /** Values to choose from. Without them, a text is typed in. */
  choices?: readonly string[];
  type?: "text" | "date";
  /** Shown on request, or if it has a value. */
  isMinor?: boolean;
  /** Shown when no value is set: an example, or what holds then. */
  placeholder?: string;
  /** Value of the API's parameter, from the text in the URL. The text itself if it is absent. */
  read?(text: string): unknown;
}

const labels = MESSAGES.filterLabels;
const TAGS = { placeholder: labels.commas, read: toValues };
const DAY = { type: "date", read: toDay } as const;

/** Filters that several lists have, by their name. */
const COMMON = {
  user_id: { label: labels.user },
  agent_id: { label: labels.agent },
  conversation_id: { label: labels.conversation },
  external_id: { label: labels.externalId },
  tags_any: { label: labels.tagsAny, ...TAGS },
  tags_all: { label: labels.tagsAll, ...TAGS },
  created_after: { label: labels.after, ...DAY },
  created_before: { label: labels.before, ...DAY },
  order: { label: labels.order, placeholder: labels.newestFirst, choices: ["asc"] },
} satisfies Record<string, Omit<Filter, "name">>;

export const commonFilters = (...names: (keyof typeof COMMON)[]): Filter[] =>
  names.map((name) => ({ name, ...COMMON[name] }));

/** The order of a list: the property to sort by, and its direction. */
export const orderFilters = (...choices: string[]): Filter[] => [
  { name: "sort", label: labels.sort, placeholder: labels.asIs, choices },
  ...commonFilters("order"),
];

/** The filters of a list, as the form of its screen. */
export const Filters = ({ filters }: { filters: readonly Filter[] }) => (
  <AddressForm label={MESSAGES.filters}>
    <FilterFields filters={filters} />
  </AddressForm>
);

/** Fields of the screen's form. A changed field sends the form. */
export function FilterFields(props: { filters: readonly Filter[]; label?: string }) {
  const { filters, label = MESSAGES.filters } = props;
  const { query } = route.value;
  const [isWhole, setWhole] = useState(false);
  const active = filters.filter(({ name }) => query.has(name)).length;
  // Other fields, such as the query of a search, are sent as they are.
  const clear = ({ currentTarget: { form } }: { currentTarget: HTMLButtonElement }) => {
    for (const { name } of filters)
      Object.assign(form?.elements.namedItem(name) as HTMLInputElement, { value: "" });
    form?.requestSubmit();
  };
  return (
    <fieldset class="filters" aria-label={label}>
      {filters.map((filter) => (
        <div
          key={filter.name}
          class={query.has(filter.name) ? "filter active" : "filter"}
          hidden={filter.isMinor === true && !isWhole && !query.has(filter.name)}
        >
          <label for={`filter-${filter.name}`}>{filter.label}</label>
          <Control filter={filter} value={query.get(filter.name) ?? ""} />
        </div>
      ))}
      {filters.some(({ isMinor }) => isMinor) && (
        <button type="button" class="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? MESSAGES.fewerFilters : MESSAGES.moreFilters}
        </button>
      )}
      {active > 0 && (
        <button type="button" form={ADDRESS_FORM} class="link" onClick={clear}>
          {MESSAGES.clearFilters}
        </button>
      )}
    </fieldset>
  );
}

function Control({ filter, value }: { filter: Filter; value: string }) {
  const { name, choices, type = "text", placeholder = MESSAGES.any } = filter;
  const field = { id: `filter-${name}`, form: ADDRESS_FORM, name, onChange: sendForm };
  if (choices === undefined)
    return (
      <input
        {...(type === "date" ? { type } : { type, placeholder })}
        {...{ ...field, defaultValue: value }}
        autoComplete="off"
        spellcheck={false}
      />
    );
  // The URL may have a value that is not among the choices.
  const options = value === "" || choices.includes(value) ? choices : [...choices, value];
  return (
    <select {...field}>
      <option value="" ref={selectedIf(value === "")}>
        {placeholder}
      </option>
      {options.map((choice) => (
        <option key={choice} value={choice} ref={selectedIf(choice === value)}>
          {choice.replaceAll("_", " ")}
        </option>
      ))}
    </select>
  );
}

/** Preact would set the property `selected`. Only the attribute is what a reset of the form returns to. */
const selectedIf = (isSelected: boolean) => (option: HTMLOptionElement | null) =>
  void option?.toggleAttribute("selected", isSelected);

/** A filter's value in the URL. Undefined if it is not set. */
export const filterValue = <T extends string = string>(name: string): T | undefined =>
  (route.value.query.get(name) as T | null) ?? undefined;

/** The parameters of the API that filters of the URL stand for. Those that are not set are left out. */
export const filtered = (
  filters: readonly Filter[],
  value: (name: string) => string | undefined = filterValue,
): object =>
  Object.fromEntries(
    filters.flatMap(({ name, read = (text) => text }) => {
      const text = value(name);
      return text === undefined ? [] : [[name, read(text)]];
    }),
  );

/** Several values, separated by commas. */
function toValues(text: string): string[] {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
}

/** Start of a day in the user's zone, as the API takes it. Undefined for what is no day. */
function toDay(text: string): string | undefined {
  const date = new Date(`${text}T00:00:00`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
