import type { ComponentChildren } from "preact";
import type { Pages } from "../load.ts";
import { route } from "../route.ts";
import { Screen } from "./basics.tsx";
import { type Filter, Filters } from "./filters.tsx";
import { Empty } from "./states.tsx";
import { type Column, PagedTable } from "./table.tsx";

/** The texts of a list. `noMatch` is shown in place of `none` if there are filters. */
interface Texts {
  title: string;
  note?: string;
  none: string;
  noneText?: string;
  noMatch?: string;
}

/** The screen of a list, which is loaded page by page. */
export function ListScreen<T extends { id: string }>(props: {
  texts: Texts;
  pages: Omit<Pages<T>, "change">;
  columns: readonly Column<T>[];
  filters?: readonly Filter[];
  actions?: ComponentChildren;
  /** In place of those of the texts. */
  title?: ComponentChildren;
  note?: ComponentChildren;
  empty?: ComponentChildren;
  /** Above the filters. */
  top?: ComponentChildren;
  /** Between the filters and the list. */
  alert?: ComponentChildren;
  /** Dialogs of the screen. */
  children?: ComponentChildren;
}) {
  const { texts, pages, columns, filters, actions, title = texts.title, note = texts.note, children } = props;
  const none = route.value.query.size > 0 ? (texts.noMatch ?? texts.none) : texts.none;
  const empty = props.empty ?? <Empty title={none}>{texts.noneText}</Empty>;
  return (
    <Screen title={title} note={note} actions={actions}>
      {props.top}
      {filters && <Filters filters={filters} />}
      {props.alert}
      <PagedTable pages={pages} columns={columns} label={texts.title} empty={empty} />
      {children}
    </Screen>
  );
}
