import { useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { codeOf, piecesOf } from "../hidden-characters.ts";
import { MESSAGES } from "../messages.ts";

/** Characters of a long text that are shown before the user asks for the rest. */
const SHOWN_MAX = 12_000;

/**
 * Stored text, as text: no markup, and each hidden character by its code. It has its own direction, so that it cannot
 * turn what stands around it.
 */
export function Text({ of: text, marks = [] }: { of: string; marks?: readonly Mark[] }) {
  return <bdi class="text">{marks.length === 0 ? <Pieces of={text} /> : marked(text, marks)}</bdi>;
}

/** Part of a text, in UTF-16 code units. */
export interface Mark {
  start: number;
  end: number;
}

/** Long stored text with its line breaks. The rest of a very long one is shown on request. */
export function Prose({ of: text, marks }: { of: string; marks?: readonly Mark[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || text.length <= SHOWN_MAX ? text : text.slice(0, SHOWN_MAX);
  return (
    <div class="prose">
      <Text of={shown} marks={marks ?? []} />
      {shown.length < text.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {MESSAGES.showAllCharacters(formatNumber(text.length))}
        </button>
      )}
    </div>
  );
}

/** The pieces of a stored text, in an element that has a direction of its own. */
export function Pieces({ of: text }: { of: string }) {
  return (
    <>
      {piecesOf(text).map((piece, i) =>
        "text" in piece ? (
          piece.text
        ) : (
          <span key={i} class="hidden-character" title={MESSAGES.hiddenCharacter}>
            {codeOf(piece.hidden)}
          </span>
        ),
      )}
    </>
  );
}

function marked(text: string, marks: readonly Mark[]) {
  const parts = [];
  let at = 0;
  for (const { start, end } of [...marks].sort((a, b) => a.start - b.start)) {
    if (start < at || start >= text.length) continue;
    parts.push(<Pieces key={`t${at}`} of={text.slice(at, start)} />);
    parts.push(
      <mark key={`m${start}`}>
        <Pieces of={text.slice(start, end)} />
      </mark>,
    );
    at = end;
  }
  parts.push(<Pieces key={`t${at}`} of={text.slice(at)} />);
  return parts;
}
