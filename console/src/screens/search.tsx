import { useState } from "preact/hooks";
import { evaluate, evaluatedBody, findExpected } from "../evaluations.ts";
import { placeOfId } from "../ids.ts";
import { type Loaded, useAction, useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ADDRESS_FORM, AddressForm } from "../parts/address-form.tsx";
import { Screen as Frame } from "../parts/basics.tsx";
import { Field } from "../parts/field.tsx";
import { fieldText } from "../parts/fields.ts";
import { FilterFields, filterValue } from "../parts/filters.tsx";
import { QueryField } from "../parts/query-field.tsx";
import { type Answered, Results } from "../parts/search-results.tsx";
import { Empty, Failure, WhenLoaded } from "../parts/states.tsx";
import { goTo, linkTo, route } from "../route.ts";
import { OF_EACH_SIDE, SHARED, searchBody } from "../search-body.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.search;

/** Before the names of what the second search has of its own, in the URL. */
const SECOND = "b.";
const SECOND_FILTERS = OF_EACH_SIDE.map((filter) => ({ ...filter, name: `${SECOND}${filter.name}` }));

type Values = (name: string) => string | undefined;

const ofFirst: Values = filterValue;
/** The second search has the filters of the first one, except for those of each side. */
const ofSecond: Values = (name) =>
  name === "q" || OF_EACH_SIDE.some((filter) => filter.name === name)
    ? filterValue(`${SECOND}${name}`)
    : filterValue(name);

export function Screen() {
  const asked = filterValue("q");
  const isComparing = filterValue(`${SECOND}q`) !== undefined;
  const compare = ({ currentTarget: { form } }: { currentTarget: HTMLButtonElement }) => {
    // The query may have been typed without being sent yet.
    const q = fieldText(new FormData(form ?? undefined), "q") || asked;
    const { query } = route.value;
    goTo(
      ["search"],
      isComparing
        ? { ...Object.fromEntries([...query].filter(([name]) => !name.startsWith(SECOND))), q }
        : { ...Object.fromEntries(query), q, [`${SECOND}q`]: q, [`${SECOND}mode`]: "keyword" },
    );
  };
  return (
    <Frame
      title={texts.title}
      actions={
        asked !== undefined && (
          <button type="button" form={ADDRESS_FORM} aria-pressed={isComparing} onClick={compare}>
            {isComparing ? texts.stopComparing : texts.compare}
          </button>
        )
      }
    >
      <AddressForm label={texts.title}>
        {!isComparing && <Query name="q" label={texts.query} />}
        <FilterFields filters={isComparing ? SHARED : [...OF_EACH_SIDE, ...SHARED]} />
      </AddressForm>
      {asked === undefined && <Empty title={texts.start}>{texts.startText}</Empty>}
      {asked !== undefined && <ById text={asked} />}
      {asked !== undefined && (isComparing ? <Compared /> : <Single />)}
    </Frame>
  );
}

const Query = ({ name, label }: { name: string; label: string }) => (
  <QueryField {...{ name, label, placeholder: texts.placeholder, submit: texts.submit }} autofocus />
);

/** The way to what a query names by its id, which a search for its words may not find. */
function ById({ text }: { text: string }) {
  const place = placeOfId(text);
  return (
    place && (
      <p>
        <a data-item href={linkTo(place.path, place.query)}>
          {place.label}
        </a>
      </p>
    )
  );
}

function useSearch(values: Values): Loaded<Answered> {
  const body = searchBody(values);
  return useLoaded(
    async (signal) => {
      const begunAt = performance.now();
      const answer = await engram().search(body, { signal });
      return { answer, elapsedMs: performance.now() - begunAt };
    },
    [body],
  );
}

const minimumOf = (values: Values): number => Number(values("min_relevance") ?? 0);

function Single() {
  const search = route.value.query.toString();
  return (
    <WhenLoaded of={useSearch(ofFirst)}>
      {(answered) => (
        <>
          <Results
            key={search}
            of={answered}
            minimum={minimumOf(ofFirst)}
            label={(id) => evaluate(evaluatedBody(ofFirst), id)}
          />
          <Missing key={search} />
        </>
      )}
    </WhenLoaded>
  );
}

/** Two searches at once. Each result says where the other search has it. */
function Compared() {
  const first = useSearch(ofFirst);
  const second = useSearch(ofSecond);
  return (
    <div class="compared">
      <section aria-label={texts.firstSide}>
        <h2>{texts.firstSide}</h2>
        <Query name="q" label={texts.firstSide} />
        <FilterFields filters={OF_EACH_SIDE} label={`${texts.firstSide}: ${MESSAGES.filters}`} />
        <Side of={first} other={second} minimum={minimumOf(ofFirst)} />
      </section>
      <section aria-label={texts.secondSide}>
        <h2>{texts.secondSide}</h2>
        <Query name={`${SECOND}q`} label={texts.secondSide} />
        <FilterFields filters={SECOND_FILTERS} label={`${texts.secondSide}: ${MESSAGES.filters}`} />
        <Side of={second} other={first} minimum={minimumOf(ofSecond)} />
      </section>
    </div>
  );
}

function Side(props: { of: Loaded<Answered>; other: Loaded<Answered>; minimum: number }) {
  const { of: loaded, other, minimum } = props;
  return (
    <WhenLoaded of={loaded}>
      {(answered) => <Results of={answered} minimum={minimum} other={other.value?.answer.results} />}
    </WhenLoaded>
  );
}

/** Saves the query with a right answer that may not be among its results. */
function Missing() {
  const [said, setSaid] = useState<string>();
  const { error, run } = useAction();
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const text = fieldText(new FormData(event.currentTarget as HTMLFormElement), "expected");
    run(async () => {
      const expected = await findExpected(text);
      setSaid(
        expected === null ? texts.notALink : texts.savedAs(await evaluate(evaluatedBody(ofFirst), expected)),
      );
    });
  };
  return (
    <details class="missing">
      <summary>{texts.missing}</summary>
      <form onSubmit={save}>
        <Field label={texts.missingText} name="expected" required placeholder={texts.missingExample} />
        <button type="submit">{texts.missingSave}</button>
        <span role="status">{said}</span>
      </form>
      {error !== undefined && <Failure error={error} />}
    </details>
  );
}
