import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { formatWord } from "../format.ts";
import { MESSAGES } from "../messages.ts";
import { route } from "../route.ts";
import { type Suggested, suggestionsFor } from "../suggestions.ts";
import { ADDRESS_FORM, AddressForm, sendForm } from "./address-form.tsx";
import { Menu } from "./menu.tsx";
import { Text } from "./text.tsx";

export interface Filter {
  /** Name of the query parameter, in the URL of the page and of the API. */
  name: string;
  label: string;
  /** Values to choose from. Without them, a text is typed in. */
  choices?: readonly string[];
  type?: "text" | "date";
  /** Shown when no value is set: an example, or what holds then. */
  placeholder?: string;
  /** Which values are suggested while a text is typed in. */
  suggests?: Suggested;
  /** Shown as a field also when it is not set, such as the order of a list. */
  isField?: boolean;
  /** Value of the API's parameter, from the text in the URL. The text itself if it is absent. */
  read?(text: string): unknown;
}

const labels = MESSAGES.filterLabels;
const TAGS = { placeholder: labels.commas, read: toValues, suggests: "tags" } as const;
const DAY = { type: "date", read: toDay } as const;

/** Filters that several lists have, by their name. */
const COMMON = {
  user_id: { label: labels.user, suggests: "users" },
  agent_id: { label: labels.agent, suggests: "agents" },
  conversation_id: { label: labels.conversation },
  external_id: { label: labels.externalId },
  tags_any: { label: labels.tagsAny, ...TAGS },
  tags_all: { label: labels.tagsAll, ...TAGS },
  created_after: { label: labels.after, ...DAY },
  created_before: { label: labels.before, ...DAY },
  valid_at: { label: labels.validAt, ...DAY },
  as_of: { label: labels.asOf, placeholder: labels.asOfExample, read: toMoment },
  order: { label: labels.order, placeholder: labels.newestFirst, choices: ["asc"], isField: true },
} satisfies Record<string, Omit<Filter, "name">>;

export const commonFilters = (...names: (keyof typeof COMMON)[]): Filter[] =>
  names.map((name) => ({ name, ...COMMON[name] }));

/** The order of a list: the property to sort by, and its direction. */
export const orderFilters = (...choices: string[]): Filter[] => [
  { name: "sort", label: labels.sort, placeholder: labels.asIs, choices, isField: true },
  ...commonFilters("order"),
];

/** The filters of a list, as the form of its screen. */
export const Filters = ({ filters }: { filters: readonly Filter[] }) => (
  <AddressForm label={MESSAGES.filters}>
    <FilterFields filters={filters} />
  </AddressForm>
);

/** With at most as many filters, all are shown as fields: a menu would cost more clicks than it saves space. */
const FIELDS_MAX = 2;

/** Filters of the screen's form. Those that are set are chips, to which a menu adds others. */
export function FilterFields(props: { filters: readonly Filter[]; label?: string }) {
  const { filters, label = MESSAGES.filters } = props;
  const { query } = route.value;
  const areFields = filters.length <= FIELDS_MAX;
  const fields = filters.filter(({ isField }) => areFields || isField);
  const byName = new Map(
    filters.filter((filter) => !fields.includes(filter)).map((each) => [each.name, each]),
  );
  const set = [...new Set(query.keys())].flatMap((name) => byName.get(name) ?? []);
  const { edited, edit, group } = useEdited();
  const added = edited === undefined || query.has(edited) ? undefined : byName.get(edited);
  const unset = [...byName.values()].filter((filter) => !set.includes(filter) && filter !== added);
  return (
    <fieldset ref={group} class="filters" aria-label={label}>
      {[...set, ...(added === undefined ? [] : [added])].map((filter) => (
        <Chip key={filter.name} filter={filter} isEdited={edited === filter.name} edit={edit} />
      ))}
      {unset.length > 0 && (
        <Menu
          class="add-filter"
          text={MESSAGES.addFilter}
          items={unset.map(({ name, label }) => ({ label, act: () => edit(name) }))}
        />
      )}
      {set.length > 1 && (
        <button type="button" form={ADDRESS_FORM} class="link" onClick={clearAll(set)}>
          {MESSAGES.clearFilters}
        </button>
      )}
      {fields.length > 0 && (
        <span class="always">
          {fields.map((filter) => (
            <span key={filter.name} class={query.has(filter.name) ? "filter active" : "filter"}>
              <label for={`filter-${filter.name}`}>{filter.label}</label>
              <Control filter={filter} />
            </span>
          ))}
        </span>
      )}
    </fieldset>
  );
}

/** What gets the focus when a chip is not edited any more: a chip, by its filter, or the button of the menu. */
const MENU = "";

function useEdited() {
  const [edited, setEdited] = useState<string>();
  const group = useRef<HTMLFieldSetElement>(null);
  const waiting = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (waiting.current === undefined) return;
    const target = waiting.current === MENU ? ".add-filter" : `[data-filter="${waiting.current}"]`;
    const element = group.current?.querySelector<HTMLElement>(target);
    // The chip of an added filter appears when the URL has changed.
    if (!element) return;
    waiting.current = undefined;
    element.focus();
  });
  /** @param next The filter to edit. Undefined to end, with what gets the focus if the keyboard ended it. */
  const edit = (next: string | undefined, focused?: string) => {
    // A field that is removed loses the focus, which must not undo what its key asked for.
    if (next !== undefined || focused !== undefined) waiting.current = focused;
    setEdited(next);
  };
  return { edited, edit, group };
}

/** Sends the form without these filters. Other fields, such as the query of a search, are sent as they are. */
const clearAll =
  (filters: readonly Filter[]) =>
  ({ currentTarget: { form } }: { currentTarget: HTMLButtonElement }) => {
    for (const { name } of filters)
      Object.assign(form?.elements.namedItem(name) as HTMLInputElement, { value: "" });
    form?.requestSubmit();
  };

/** A filter that is set. Its text opens the field, in which Enter applies the value and Escape does not. */
function Chip(props: { filter: Filter; isEdited: boolean; edit: ReturnType<typeof useEdited>["edit"] }) {
  const { filter, isEdited, edit } = props;
  const { name, label } = filter;
  const value = filterValue(name) ?? "";
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    const field = event.currentTarget as HTMLInputElement | HTMLSelectElement;
    event.preventDefault();
    if (event.key === "Escape") field.value = value;
    else if (field.value.trim() !== value) field.form?.requestSubmit();
    edit(undefined, field.value.trim() === "" ? MENU : name);
  };
  // A window that loses the focus leaves it to the field.
  const leave = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    if (document.activeElement !== currentTarget) edit(undefined);
  };
  const remove = (event: { currentTarget: HTMLButtonElement }) => {
    clearAll([filter])(event);
    edit(undefined, MENU);
  };
  const removeByKey = (event: KeyboardEvent) => {
    if (event.key === "Delete" || event.key === "Backspace")
      remove({ currentTarget: event.currentTarget as HTMLButtonElement });
  };
  return (
    <span class={isEdited ? "chip edited" : "chip"}>
      {isEdited ? (
        <>
          <label for={`filter-${name}`}>{label}</label>
          <Control filter={filter} isEdited onKeyDown={press} onBlur={leave} />
        </>
      ) : (
        <>
          <input type="hidden" form={ADDRESS_FORM} name={name} value={value} />
          <button
            type="button"
            form={ADDRESS_FORM}
            data-filter={name}
            aria-label={MESSAGES.editFilter(label, shownValue(filter, value))}
            onClick={() => edit(name)}
            onKeyDown={removeByKey}
          >
            <span class="note">{label}</span> <Text of={shownValue(filter, value)} />
          </button>
        </>
      )}
      <button
        key="remove"
        type="button"
        form={ADDRESS_FORM}
        class="remove"
        aria-label={MESSAGES.removeFilter(label)}
        // The field keeps the focus, so that its chip does not change its size under the pointer.
        onMouseDown={(event) => event.preventDefault()}
        onClick={remove}
      >
        ×
      </button>
    </span>
  );
}

/** Choices that are shown in other words than the API has for them. */
const CHOICES = new Map([
  ["asc", labels.oldestFirst],
  ["created_at", MESSAGES.columns.created],
  ["updated_at", MESSAGES.columns.updated],
]);

const choiceText = (choice: string): string => CHOICES.get(choice) ?? formatWord(choice);

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

function shownValue({ choices, type }: Filter, value: string): string {
  const day = type === "date" ? new Date(`${value}T00:00:00`) : undefined;
  if (day !== undefined && !Number.isNaN(day.getTime())) return DATE.format(day);
  return choices === undefined ? value : choiceText(value);
}

function Control(props: {
  filter: Filter;
  isEdited?: boolean;
  onKeyDown?(event: KeyboardEvent): void;
  onBlur?(event: { currentTarget: HTMLElement }): void;
}) {
  const { filter, isEdited = false, onKeyDown, onBlur } = props;
  const { name, choices, type = "text", placeholder = MESSAGES.any } = filter;
  const value = filterValue(name) ?? "";
  const control = useRef<HTMLInputElement & HTMLSelectElement>(null);
  useLayoutEffect(() => {
    if (isEdited) openPicker(control.current);
  }, []);
  const field = { ref: control, id: `filter-${name}`, form: ADDRESS_FORM, name, onKeyDown, onBlur };
  if (choices === undefined)
    return (
      <>
        <input
          {...(type === "date" ? { type, onChange: sendDay } : { type, placeholder, onChange: sendForm })}
          {...{ ...field, defaultValue: value, list: filter.suggests && `values-${name}` }}
          autoComplete="off"
          spellcheck={false}
        />
        {filter.suggests && <Suggestions of={filter.suggests} filter={filter} />}
      </>
    );
  // The URL may have a value that is not among the choices.
  const options = value === "" || choices.includes(value) ? choices : [...choices, value];
  return (
    <select {...field} onChange={sendForm}>
      <option value="" ref={selectedIf(value === "")}>
        {placeholder}
      </option>
      {options.map((choice) => (
        <option key={choice} value={choice} ref={selectedIf(choice === value)}>
          {choiceText(choice)}
        </option>
      ))}
    </select>
  );
}

/** Focuses a field, and opens the list or calendar of the browser if it has one. */
function openPicker(field: (HTMLInputElement & HTMLSelectElement) | null): void {
  field?.focus();
  try {
    if (field?.matches("select, [type=date]")) field.showPicker?.();
  } catch {
    // Only a click or a key may open it.
  }
}

/** While a year is typed, the value is a date in the first millennium. */
const sendDay = (event: { currentTarget: HTMLInputElement }): void => {
  if (!event.currentTarget.value.startsWith("0")) sendForm(event);
};

/** Values to choose from, after those that are already in the field if it takes several. */
function Suggestions({ of: kind, filter: { name, read } }: { of: Suggested; filter: Filter }) {
  const [values, setValues] = useState<readonly string[]>([]);
  const [typed, setTyped] = useState("");
  const list = useRef<HTMLDataListElement>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    suggestionsFor(kind, signal).then((found) => signal.aborted || setValues(found));
    const field = list.current?.previousElementSibling as HTMLInputElement;
    field.addEventListener("input", () => setTyped(field.value), { signal });
    return () => controller.abort();
  }, []);
  const before = read === toValues ? (/^.*,\s*/.exec(typed)?.[0] ?? "") : "";
  return (
    <datalist ref={list} id={`values-${name}`}>
      {values.map((value) => (
        <option key={value} value={`${before}${value}`} />
      ))}
    </datalist>
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

/** A local time as the API takes it. Anything else, such as the id of a conversation and a number, stays as it is. */
function toMoment(text: string): string {
  // A day alone would be a day of UTC.
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text);
  return /^\d{4}-/.test(text) && !Number.isNaN(date.getTime()) ? date.toISOString() : text;
}

/** Start of a day in the user's zone, or a time, as the API takes it. Undefined for what is neither. */
function toDay(text: string): string | undefined {
  const date = new Date(text.includes("T") ? text : `${text}T00:00:00`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
