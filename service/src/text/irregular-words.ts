/**
 * Irregular English words, each followed by its other forms. Forms that are often another word ("left", "rose", "bore")
 * and common words of questions are left out.
 */
const FORMS = `
  arise arose arisen, awake awoke awoken, become became, begin began begun, bend bent, bleed bled, blow blew
  blown, break broke broken, breed bred, bring brought, build built, buy bought, catch caught, choose chose
  chosen, cling clung, come came, creep crept, deal dealt, dig dug, draw drew drawn, dream dreamt, drink drank
  drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found,
  flee fled, fling flung, fly flew flown, forbid forbade forbidden, foresee foresaw foreseen, forget forgot
  forgotten, forgive forgave forgiven, freeze froze frozen, give gave given, go goes went gone, grow grew grown,
  hear heard, hide hid hidden, hold held, keep kept, kneel knelt, know knew known, leap leapt, learn learnt,
  lend lent, lose lost, make made, mean meant, meet met, mistake mistook mistaken, outgrow outgrew outgrown,
  overcome overcame, overhear overheard, oversee oversaw overseen, oversleep overslept, overtake overtook
  overtaken, overthrow overthrew overthrown, pay paid, prove proven, rebuild rebuilt, repay repaid, rerun reran,
  resell resold, retake retook retaken, rethink rethought, rewrite rewrote rewritten, ride rode ridden, rise
  risen, run ran, say said, see saw seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken, show
  shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept, slide slid, speak spoke
  spoken, spend spent, spin spun, stand stood, steal stole stolen, stick stuck, sting stung, stride strode,
  strike struck, strive strove striven, swear swore sworn, sweep swept, swell swollen, swim swam swum, swing
  swung, take took taken, teach taught, tear tore torn, tell told, think thought, throw threw thrown, tread trod
  trodden, undergo underwent undergone, understand understood, undertake undertook undertaken, undo undid
  undone, wake woke woken, wear wore worn, weave wove woven, weep wept, win won, withdraw withdrew withdrawn,
  withhold withheld, withstand withstood, wring wrung, write wrote written,
  child children, foot feet, goose geese, half halves, knife knives, loaf loaves, man men, mouse mice, shelf
  shelves, thief thieves, tooth teeth, wife wives, wolf wolves, woman women`;

/** The base word of each irregular form: "went" is "go", "children" is "child". */
export const IRREGULAR_WORDS: ReadonlyMap<string, string> = new Map(
  FORMS.split(",").flatMap((entry) => {
    const [word = "", ...forms] = entry.trim().split(/\s+/);
    return forms.map((form) => [form, word] as const);
  }),
);
