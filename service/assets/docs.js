// A key that is typed in stays in this page, and the address cannot point the page at another document.
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

const ui = SwaggerUIBundle({
  dom_id: "#docs",
  url: "/openapi.json",
  deepLinking: true,
  // The operations are the page; a schema opens from where it is used.
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
  plugins: [showLines],
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

/** Authorizes all operations with the text of the field, unless it is the same as before. */
async function authorize() {
  const secret = input.value.trim();
  if (secret === last) return;
  last = secret;
  output.value = "";
  if (secret === "") return;
  const isKey = secret.startsWith("engram_sk_");
  const scheme = isKey ? "apiKey" : "adminToken";
  if (isKey && !(await isAccepted(secret))) {
    if (secret === last) output.value = "The service does not accept this key.";
    return;
  }
  if (secret !== last) return;
  ui.preauthorizeApiKey(scheme, secret);
  output.value = isKey
    ? "Authorized. Open an operation and choose “Try it out”."
    : "Authorized as admin token, which only the operations on organizations accept.";
}

/** A key without the scope `read` gets 403 here, and is valid. */
async function isAccepted(secret) {
  const response = await fetch("/v1/index", { headers: { authorization: `Bearer ${secret}` } });
  return response.status !== 401;
}
