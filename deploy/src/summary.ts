import { shown } from "./admin-token.ts";
import type { Deployment } from "./deployment.ts";

export function summary({ worker }: Deployment): string {
  const url = worker.deployed?.url ?? "https://<your host>";
  const { isKept, file } = worker.adminToken;
  const token = isKept ? `$(cat '${shown(file)}')` : "$ENGRAM_ADMIN_TOKEN";
  return [
    "",
    "Engram is deployed.",
    "",
    `  URL          ${url}`,
    `  Docs         ${url}/docs`,
    ...(isKept ? [`  Admin token  kept in ${shown(file)}`] : []),
    "",
    "Create an organization; the answer shows its first key, once:",
    "",
    `  curl -s ${url}/v1/organizations -H "authorization: Bearer ${token}" -H "content-type: application/json" -d '{"name":"Acme"}'`,
    "",
    "",
  ].join("\n");
}
