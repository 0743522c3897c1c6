import { MESSAGES } from "../messages.ts";
import { Field, TagsField } from "./field.tsx";
import { fieldTags, filledFields } from "./fields.ts";
import { Text } from "./text.tsx";

const { columns, filterLabels } = MESSAGES;

/** Conditions of a rule or a hold that this page has fields for. */
export interface ItemFilter {
  user_id?: string;
  agent_id?: string;
  tags_any?: string[];
}

/** Fields for conditions on conversations and memories. */
export function ItemFilterFields() {
  return (
    <>
      <Field label={columns.user} name="user_id" />
      <Field label={columns.agent} name="agent_id" />
      <TagsField label={filterLabels.tagsAny} />
    </>
  );
}

/** The conditions that are filled in. */
export function itemFilter(form: FormData): ItemFilter {
  const tags = fieldTags(form);
  return { ...filledFields(form, "user_id", "agent_id"), ...(tags.length > 0 && { tags_any: tags }) };
}

const LABELS: Record<string, string> = {
  user_id: columns.user,
  agent_id: columns.agent,
  tags_any: filterLabels.tagsAny,
  tags_all: filterLabels.tagsAll,
  metadata: filterLabels.metadata,
  created_after: filterLabels.after,
  created_before: filterLabels.before,
};

/** Every condition of a filter, in one line each, also those that only the API sets. */
export function ItemFilterText({ of: filter }: { of: object }) {
  return (
    <>
      {Object.entries(filter).map(
        ([name, value]) =>
          Object.hasOwn(LABELS, name) && (
            <p key={name} class="note">
              {LABELS[name]}: <Text of={shown(value)} />
            </p>
          ),
      )}
    </>
  );
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
