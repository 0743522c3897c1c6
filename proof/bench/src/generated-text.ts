import type { Random } from "../../support/random.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Function words, most frequent first. */
const FUNCTION_WORDS = words(`
  the to I a and you it of is in that for we on with have my this be not so can are do at was if but
  your they me just what or as will from when about an there one all would it's I'm get out like up
  don't know how then now some more no has our them could which been did were by he she because only
  want need make think here also should still any than too after before let's where who why over very
  well yes next again first back really much into us their other might may already never always maybe
  please thanks sure okay sounds great good right
`);

export const GENERAL_WORDS = words(`
  time day week today tomorrow yesterday morning evening people person thing way work home place family
  friend question answer idea plan problem reason part number case point start end change try look see
  tell ask call help keep find give take put use show send write read open close move leave wait happen
  meet talk feel hope remember forget learn mean believe seem turn follow bring buy pay cost price money
  small large new old long short early late easy hard different same important possible enough little big
  best better worse nice happy sorry ready free busy sick tired quick slow clear wrong true full empty
  minutes hours months years moment weekend monday tuesday friday summer winter city street house room
  table phone email message list note photo video link page file name address office school hospital
  store market kitchen garden car train bus bike road trip hotel dinner lunch breakfast coffee tea water
  kids mother father sister brother daughter son doctor teacher boss team customer company group meeting
`);

/** Words by topic. A conversation uses two topics. */
export const TOPICS = [
  "deploy deployment server cluster rollback release pipeline container database migration latency timeout",
  "refund order invoice parcel delivery warehouse receipt return appliance kettle warranty courier",
  "running marathon training knee physio stretch pace shoes race distance injury recovery",
  "recipe flour oven dough butter garlic onion simmer sauce noodles vegetarian spices",
  "guitar concert rehearsal song lyrics album drummer festival recording melody stage tickets",
  "passport visa flight airport luggage itinerary hostel museum beach mountain temple sunrise",
  "mortgage savings budget pension insurance tax broker interest loan deposit landlord lease",
  "puppy shelter vet leash adoption kitten litter vaccine parrot aquarium grooming kennel",
  "novel chapter author library poem manuscript editor publisher character fiction memoir review",
  "painting canvas gallery sketch watercolor pottery exhibition sculpture charcoal portrait studio easel",
  "election council petition volunteer charity campaign protest neighbourhood donation shelter policy senate",
  "anxiety therapy counselor support group acceptance journaling meditation boundaries grief courage sleep",
  "telescope planet orbit galaxy eclipse rocket satellite astronaut crater nebula physics gravity",
  "tomato seedlings compost greenhouse pruning orchard harvest beehive irrigation mulch weeds lavender",
  "function compiler exception parser schema index query cache mutex thread interface generics",
  "wedding venue invitation florist caterer bouquet guests toast honeymoon dress rehearsal cake",
].map(words);

/** Probability that the next word is of this kind; the rest are general words. */
const FUNCTION_SHARE = 0.5;
const TOPIC_SHARE = 0.2;
/** Rare words: order numbers, machine names, codes. */
const RARE_SHARE = 0.02;
const SENTENCE_WORDS_MAX = 14;

/** Sentences of everyday English, with words of some topics. */
export function makeText(random: Random, topics: readonly string[], length: number): string {
  const sentences: string[] = [];
  for (let left = length; left > 0; ) {
    const size = Math.min(left, random.between(1, SENTENCE_WORDS_MAX));
    const sentence = Array.from({ length: size }, () => makeWord(random, topics)).join(" ");
    sentences.push(sentence.charAt(0).toUpperCase() + sentence.slice(1) + (random.next() < 0.2 ? "?" : "."));
    left -= size;
  }
  return sentences.join(" ");
}

function makeWord(random: Random, topics: readonly string[]): string {
  const kind = random.next();
  if (kind < RARE_SHARE) return `${random.pick(topics)}-${random.between(0, 99_999)}`;
  if (kind < RARE_SHARE + TOPIC_SHARE) return random.pick(topics);
  return pickFrequent(
    random,
    kind < RARE_SHARE + TOPIC_SHARE + FUNCTION_SHARE ? FUNCTION_WORDS : GENERAL_WORDS,
  );
}

/** Zipf's law: the n-th word is about n times less frequent than the first. */
function pickFrequent(random: Random, words: readonly string[]): string {
  return words[Math.floor(words.length ** random.next()) - 1] ?? random.pick(words);
}

/** Normal distribution around 0 (Box-Muller transform). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
