// A key that is typed in stays in this page, and the address cannot point the page at another document.
const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followScheme);
followScheme();

/** The root of the service: this script is at `docs/docs.js`. */
const root = new URL("..", document.currentScript.src);
const form = document.querySelector("#key");
const input = form.querySelector("input");
const output = form.querySelector("output");

/** Shows an example of several lines of JSON as it is. Swagger UI would show and send it as one JSON string. */
const showLines = ({ fn }) => {
  const { getJsonSampleSchema } = fn.jsonSchema202012;
  const showExample = (schema, config, mediaType, example) =>
    mediaType === "application/x-ndjson" && typeof example === "string"
      ? example
      : getJsonSampleSchema(schema, config, mediaType, example);
  return { fn: { jsonSchema202012: { getJsonSampleSchema: showExample } } };
};

/** How much of a stream of events, which lasts for minutes, the page reads before it shows what has come. */
const STREAM_SHOWN_MS = 2_000;
const STREAM_SHOWN_CHARACTERS = 50_000;

/** Sends a request. Of a stream of events, the response has only the beginning. */
const fetchBeginning = async (url, init) => {
  const response = await fetch(url, init);
  if (response.headers.get("content-type") !== "text/event-stream") return response;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const timer = setTimeout(() => reader.cancel(), STREAM_SHOWN_MS);
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > STREAM_SHOWN_CHARACTERS) break;
  }
  clearTimeout(timer);
  await reader.cancel();
  return new Response(text.slice(0, STREAM_SHOWN_CHARACTERS), response);
};

const ui = SwaggerUIBundle({
  dom_id: "#docs",
  url: new URL("openapi.json", root).href,
  deepLinking: true,
  // The operations are the page; a schema opens from where it is used.
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
  plugins: [showLines],
  requestInterceptor: (request) => Object.assign(request, { userFetch: fetchBeginning }),
  onComplete: () => {
    input.disabled = false;
  },
});

// The browser fills the field after the event.
input.addEventListener("paste", () => setTimeout(authorize));
input.addEventListener("change", authorize);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  authorize();
});

let last = "";
/** The scheme that is authorized now. */
let authorized;

/** What the page says about a secret, by the scheme that it is for. */
const AUTHORIZED = {
  apiKey: "Authorized. Open an operation and choose “Try it out”.",
  adminToken: "Authorized as admin token, which only the operations on organizations accept.",
  signInCode: "Authorized with a sign-in code, which only the operation that redeems it accepts.",
};

function schemeOf(secret) {
  if (secret.startsWith("engram_sk_")) return "apiKey";
  return secret.startsWith("engram_code_") ? "signInCode" : "adminToken";
}

/** Authorizes all operations with the text of the field, unless it is the same as before. */
async function authorize() {
  const secret = input.value.trim();
  if (secret === last) return;
  last = secret;
  output.value = "";
  if (authorized !== undefined) ui.authActions.logout([authorized]);
  authorized = undefined;
  if (secret === "") return;
  const scheme = schemeOf(secret);
  if (scheme === "apiKey" && !(await isAccepted(secret))) {
    if (secret === last) output.value = "The service does not accept this key.";
    return;
  }
  if (secret !== last) return;
  ui.preauthorizeApiKey(scheme, secret);
  authorized = scheme;
  output.value = AUTHORIZED[scheme];
}

/** A key without the scope `read` gets 403 here, and is valid. */
async function isAccepted(secret) {
  const response = await fetch(new URL("v1/index", root), { headers: { authorization: `Bearer ${secret}` } });
  return response.status !== 401;
}
