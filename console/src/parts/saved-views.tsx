import { useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { linkTo, route } from "../route.ts";
import { normalQuery, removeView, savedViews, saveView } from "../saved-views.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { Field } from "./field.tsx";
import { fieldText } from "./fields.ts";
import { Text } from "./text.tsx";

const texts = MESSAGES.conversations;

/** The saved views as links, and the button that saves the filters of the address as one. */
export function SavedViews() {
  const [isNaming, setNaming] = useState(false);
  const query = normalQuery(route.value.query);
  const views = savedViews.value;
  const isNew = query !== "" && views.every((view) => view.query !== query);
  if (views.length === 0 && !isNew) return null;
  const save = async (form: FormData) => {
    saveView({ name: fieldText(form, "name"), query });
    setNaming(false);
  };
  return (
    <section class="views" aria-label={texts.views}>
      <a class="view" href={linkTo(["conversations"])} aria-current={query === "" ? "true" : undefined}>
        {texts.all}
      </a>
      {views.map((view) => (
        <span key={view.name} class="view">
          <a
            href={`${linkTo(["conversations"])}?${view.query}`}
            aria-current={view.query === query ? "true" : undefined}
          >
            <Text of={view.name} />
          </a>
          <button
            type="button"
            class="link"
            aria-label={texts.removeView(view.name)}
            onClick={() => removeView(view.name)}
          >
            ×
          </button>
        </span>
      ))}
      {isNew && (
        <button type="button" class="small" onClick={() => setNaming(true)}>
          {texts.saveView}
        </button>
      )}
      {isNaming && (
        <ActionDialog title={texts.saveView} label={MESSAGES.save} act={save} close={() => setNaming(false)}>
          <p>{texts.saveViewText}</p>
          <Field label={MESSAGES.columns.name} name="name" required maxLength={60} />
        </ActionDialog>
      )}
    </section>
  );
}
