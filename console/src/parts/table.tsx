import type { ComponentChildren } from "preact";
import { formatNumber } from "../format.ts";
import type { Pages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Failure, Loading } from "./states.tsx";

export interface Column<T> {
  /** Empty for the column with what can be done. */
  title: string;
  /** In place of the title, such as a checkbox for all items. */
  head?: ComponentChildren;
  /** `number` is aligned to the right; `wide` takes the space that is left; `check` is narrow; `minor` is left out on a phone, `extra` on a tablet, too. */
  kind?: "check" | "number" | "wide" | "minor" | "extra" | "minor number" | "extra number";
  cell(item: T): ComponentChildren;
}

/** A list as a table, with its states and the button for the next page. */
export function PagedTable<T extends { id: string }>(props: {
  pages: Omit<Pages<T>, "change">;
  columns: readonly Column<T>[];
  label: string;
  empty: ComponentChildren;
}) {
  const { items, total, error, isLoading, hasMore, more, reload } = props.pages;
  if (items.length === 0) {
    if (error !== undefined) return <Failure error={error} retry={reload} />;
    return isLoading ? <Loading /> : props.empty;
  }
  return (
    <>
      <Table items={items} columns={props.columns} label={props.label} />
      {error !== undefined && <Failure error={error} retry={more} />}
      <footer class="table-foot">
        <span class="note">
          {total === undefined
            ? MESSAGES.shown(formatNumber(items.length))
            : MESSAGES.shownOf(formatNumber(items.length), formatNumber(total))}
        </span>
        {hasMore && (
          <button type="button" disabled={isLoading} onClick={more}>
            {isLoading ? MESSAGES.loading : MESSAGES.more}
          </button>
        )}
      </footer>
    </>
  );
}

export function Table<T extends { id: string }>(props: {
  items: readonly T[];
  columns: readonly Column<T>[];
  label: string;
}) {
  return (
    <div class="table-frame">
      <table aria-label={props.label}>
        <thead>
          <tr>
            {props.columns.map(({ title, kind, head }) => (
              <th key={title} scope="col" class={title === "" ? "act" : kind}>
                {head ?? (title || <span class="only-read">{MESSAGES.actions}</span>)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.items.map((item) => (
            <tr key={item.id}>
              {props.columns.map(({ title, kind, cell }) => (
                <td key={title} class={title === "" ? "act" : kind}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
