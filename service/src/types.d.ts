declare module "wink-porter2-stemmer" {
  /** Stem of an English word in lower case, by Porter's second algorithm. */
  export default function stem(word: string): string;
}
