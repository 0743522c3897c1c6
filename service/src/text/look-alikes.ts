import { toDigit } from "./fold.ts";

/** For each letter that is told apart, letters of other scripts with the same shape, in lower case. */
const SHAPES: Record<string, string> = {
  a: "аαɑ⍺ᴀꭺ",
  c: "сϲᴄⲥꮯҫ",
  e: "еҽєεɛ℮ᴇꭼꬲɘ",
  g: "ɡցᶃɢᏻԍꮐǥɠ",
  m: "μϻмᴍɱⲙꮇ",
  n: "νⲛոռпнηɴŋᥒɳ",
  o: "0οоօᴏᴑσⲟөჿഠဝ〇ⵔ๐ọ",
  r: "ꮢгᴦⲅꭇꭈʀɼɽꮁꭱя",
  t: "тτᴛⲧŧƫꭲե",
  x: "хχᕁ᙮ᕽ×ⲭӽҳ✕✖╳⨯",
  "-": "‐‑‒–—―−˗⁃۔ⲻ➖ー一─━╌⸺⸻_",
};
const SHAPE_OF = new Map(
  Object.entries(SHAPES).flatMap(([letter, shapes]) =>
    Array.from(shapes, (shape) => [shape, letter] as const),
  ),
);
const SHAPE = new RegExp(`\\p{Pd}|[${[...SHAPE_OF.keys()].join("").replace(/[-\\\]^]/g, "\\$&")}]`, "gu");

/** Accents and characters that cannot be seen. The two kana become accents in NFKC. */
const HIDDEN = /(?!\u00ad)[\p{M}\uff9e\uff9f\p{Default_Ignorable_Code_Point}\p{C}\s]/gu;
/** Seen at the end of a line only. */
export const SOFT_HYPHEN = "\u00ad";
const ASCII = /^[\0-\x7f]*$/;
/** Digits of all scripts. Each script has them in order, without another digit before its zero. */
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;

/**
 * What a text looks like to a reader who does not see accents, blanks and the scripts of its letters: two texts that look
 * the same have the same shape, as far as it consists of the letters of `SHAPES` and digits. 0 has the shape of o.
 * Soft hyphens stay.
 */
export function shapeOf(text: string): string {
  const plain = ASCII.test(text) ? text.toLowerCase().replace(/[\0-\x20\x7f]/g, "") : toPlain(text);
  return joinShapes(plain.replace(SHAPE, (shape) => SHAPE_OF.get(shape) ?? "-"));
}

/** The shape of texts that follow one another. An r and an n look like an m. */
export const joinShapes = (...shapes: string[]): string =>
  shapes
    .join("")
    .replaceAll("rn", "m")
    .replace(/\u00ad+/g, SOFT_HYPHEN);

const toPlain = (text: string): string =>
  text
    .replace(HIDDEN, "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(HIDDEN, "")
    .replace(FOREIGN_DIGIT, toDigit);
