// The documentation of the SDK's methods, from the contract's texts.
import {
  type Contract,
  fullName,
  type Method,
  type Operation,
  type Response,
  refName,
  toCamelCase,
} from "./contract.ts";

/** Failures that depend on what is stored. Every operation can have the others. */
const STATE_STATUSES = ["404", "409", "410", "412"];
const COMMENT_WIDTH = 110;

/** The documentation of a method, by paragraph and tag. */
export function docsOf({ components }: Contract, all: Method[], operation: Operation): string[] {
  const names = new Map(all.map((method) => [method.operation.operationId, fullName(method)]));
  /** With the names that operations and headers have in the SDK. */
  const inSdk = (text: string) =>
    text
      .replaceAll(/`(\w+)`/g, (whole, id) => (names.has(id) ? `\`${names.get(id)}\`` : whole))
      .replaceAll(
        /`(If-Match|Idempotency-Key)`/gi,
        (_, header) => `\`${toCamelCase(header.toLowerCase())}\``,
      );
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
  const [[, success] = []] = successes;
  const isVersioned = success?.headers !== undefined && "ETag" in success.headers;
  const isRead = operation.description.startsWith("Returns");
  const returned =
    successes.length > 1
      ? successes.map(([status, { description }]) => `${status}: ${description}`).join(" ")
      : (success?.description ?? "");
  const failures = Object.entries(operation.responses).flatMap(([status, response]) =>
    STATE_STATUSES.includes(status) ? problemsOf(components, response) : [],
  );
  return [
    inSdk(operation.description).replace(/^Returns a page of /, "Lists "),
    access(operation),
    isVersioned && isRead ? "`.withResponse()` also returns the ETag, to pass as `ifMatch`." : "",
    ...(/\. /.test(returned) ? [`@returns ${inSdk(returned)}`] : []),
    ...failures.map(([code, meaning]) => `@throws {ApiError} \`${code}\`: ${inSdk(meaning)}`),
    ...operation["x-codeSamples"].map(({ source }) => `@example\n\`\`\`ts\n${source}\n\`\`\``),
  ].filter((paragraph) => paragraph !== "");
}

/** Code and meaning of each problem of an error response. */
function problemsOf({ responses, examples }: Contract["components"], response: Response): [string, string][] {
  const { content } = responses[refName(response)] ?? response;
  return Object.keys(content?.["application/problem+json"]?.examples ?? {}).map((code) => [
    code,
    /^.*?\.(?=\s|$)/.exec(examples[code]?.description ?? "")?.[0] ?? "",
  ]);
}

function access({ security }: Operation): string {
  const scopes = security.flatMap(({ apiKey = [] }) => apiKey.map((scope) => `\`${scope}\``));
  const isOfOperator = security.some((scheme) => "adminToken" in scheme);
  const needed = [
    ...(scopes.length > 0 ? [`the scope${scopes.length > 1 ? "s" : ""} ${scopes.join(" and ")}`] : []),
    ...(isOfOperator ? ["the admin token as `apiKey`"] : []),
  ];
  return needed.length === 0 ? "" : `Needs ${needed.join(", or ")}.`;
}

/** A comment of paragraphs, the tags last. */
export function comment(paragraphs: string[]): string {
  const lines = paragraphs.flatMap((paragraph, i) => {
    const isTag = paragraph.startsWith("@");
    const text = paragraph.startsWith("@example")
      ? paragraph.split("\n")
      : wrap(paragraph, isTag ? "  " : "");
    return i === 0 || (isTag && paragraphs[i - 1]?.startsWith("@")) ? text : ["", ...text];
  });
  if (lines.some((line) => line.includes("*/")))
    throw new Error(`A text ends its comment: ${lines.join("\n")}`);
  const [only] = lines;
  if (lines.length === 1) return `/** ${only} */`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */`;
}

function wrap(text: string, indent: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && `${line} ${word}`.length > COMMENT_WIDTH) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}
