import type { Organization } from "@engram/sdk";
import { useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { LATER } from "../later-messages.ts";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Facts, Screen as Frame, Id } from "../parts/basics.tsx";
import { fieldText } from "../parts/fields.ts";
import { ItemState } from "../parts/item-state.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Failure } from "../parts/states.tsx";
import { Text } from "../parts/text.tsx";
import { engram } from "../session.ts";

const texts = LATER.settings;
const { columns } = MESSAGES;

/** The settings of the organization. */
export function Screen() {
  const loaded = useLoaded((signal) => engram().organizations.get("current", { signal }), []);
  const organization = loaded.value;
  if (organization === undefined || loaded.error !== undefined)
    return <ItemState title={texts.title} of={loaded} />;
  const { id, name, conversation_count, message_count, created_at } = organization;
  return (
    <Frame title={texts.title} note={texts.note}>
      <Facts
        of={[
          [texts.organization, <Text key="name" of={name} />],
          [columns.id, <Id key="id" id={id} />],
          [columns.conversations, formatNumber(conversation_count)],
          [columns.messages, formatNumber(message_count)],
          [columns.created, <RelativeTime key="created" at={created_at} />],
        ]}
      />
      <OnSourceDeleted of={organization} />
    </Frame>
  );
}

type Choice = Organization["on_source_deleted"];

/** What happens to a memory when a message that it cites is deleted or edited. */
function OnSourceDeleted({ of: organization }: { of: Organization }) {
  const [state, setState] = useState<{ error?: unknown; isSaved?: true }>({});
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const on_source_deleted = fieldText(form, "on_source_deleted") as Choice;
    setState({});
    try {
      await engram().organizations.update("current", { on_source_deleted });
      setState({ isSaved: true });
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <form class="card fields" onSubmit={save} onChange={() => setState({})}>
      <fieldset class="choices">
        <legend>{texts.onSourceDeleted}</legend>
        <p class="note">{texts.onSourceDeletedNote}</p>
        {(Object.keys(texts.choices) as Choice[]).map((choice) => {
          const [label, text] = texts.choices[choice];
          return (
            <label key={choice} class="check explained">
              <input
                type="radio"
                name="on_source_deleted"
                value={choice}
                defaultChecked={choice === organization.on_source_deleted}
              />
              <span>
                {label} <span class="note">{text}</span>
              </span>
            </label>
          );
        })}
      </fieldset>
      <p class="actions">
        <button type="submit" class="primary">
          {MESSAGES.save}
        </button>
        <span role="status">{state.isSaved && texts.saved}</span>
      </p>
      {state.error !== undefined && <Failure error={state.error} />}
    </form>
  );
}
