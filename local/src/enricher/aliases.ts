/** Each list has names of the same tag. `primaryName` replaces them by the first one. */
const NAMES = [
  ["accessibility", "a11y"],
  ["api", "apis"],
  ["artificial-intelligence", "ai"],
  ["authentication", "auth", "authn"],
  ["aws", "amazon-web-services"],
  ["ci-cd", "ci", "cicd", "continuous-integration"],
  ["configuration", "config", "cfg"],
  ["database", "db"],
  ["dependency", "deps"],
  ["documentation", "docs", "doc"],
  ["elasticsearch", "elastic"],
  ["environment", "env"],
  ["gcp", "google-cloud", "google-cloud-platform"],
  ["go", "golang"],
  ["infrastructure", "infra"],
  ["internationalization", "i18n"],
  ["javascript", "js"],
  ["kubernetes", "k8s", "kube"],
  ["llm", "large-language-model"],
  ["machine-learning", "ml"],
  ["mongodb", "mongo"],
  ["node", "nodejs", "node-js"],
  ["observability", "o11y"],
  ["performance", "perf"],
  ["postgres", "postgresql", "psql"],
  ["production", "prod"],
  ["pull-request", "pr", "merge-request"],
  ["python", "py"],
  ["react", "reactjs", "react-js"],
  ["repository", "repo"],
  ["specification", "spec"],
  ["terraform", "tf"],
  ["typescript", "ts"],
  ["user-interface", "ui"],
] as const;

const NAMES_BY_NAME: ReadonlyMap<string, readonly string[]> = new Map(
  NAMES.flatMap((names) => names.map((name) => [name, names])),
);

export function primaryName(tag: string): string {
  return NAMES_BY_NAME.get(tag)?.[0] ?? tag;
}
