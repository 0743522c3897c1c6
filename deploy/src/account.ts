import { z } from "zod";
import { DeployError } from "./deploy-error.ts";
import { failed, parseJson, type Wrangler } from "./wrangler.ts";

const HOW_TO_LOG_IN = `Log in with

  npx wrangler login

or, where no browser is available, set CLOUDFLARE_API_TOKEN to a token that you make at
https://dash.cloudflare.com/profile/api-tokens from the template "Edit Cloudflare Workers",
with "D1: Edit" and "Vectorize: Edit" of the account added to it.`;

const NotLoggedIn = z.object({ loggedIn: z.literal(false) });
const Login = z.object({
  loggedIn: z.literal(true),
  email: z.string().optional(),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })),
});

export class LoginMissing extends DeployError {
  constructor() {
    super(`You are not logged in to Cloudflare. ${HOW_TO_LOG_IN}`);
  }
}

export interface Account {
  id: string;
  label: string;
}

/**
 * Finds the account to deploy to: the one with the id `named`, or the only account of the login.
 *
 * @throws {LoginMissing} If wrangler is not logged in.
 * @throws {DeployError} If wrangler fails, if the login does not reach the account
 * `named`, or if `named` is undefined and the login does not have exactly one account.
 */
export async function readAccount(wrangler: Wrangler, named: string | undefined): Promise<Account> {
  const args = ["whoami", "--json"];
  const result = await wrangler(args);
  if (parseJson(result.stdout, NotLoggedIn) !== undefined) throw new LoginMissing();
  const login = parseJson(result.stdout, Login);
  if (result.code !== 0 || login === undefined) {
    throw new DeployError(`${failed(args, result).message}\n\n${HOW_TO_LOG_IN}`);
  }
  const { accounts, email } = login;
  const account = accounts.find(({ id }) => (named === undefined ? accounts.length === 1 : id === named));
  if (account !== undefined) {
    const who = email === undefined ? "" : `, as ${email}`;
    return { id: account.id, label: `${account.name} (${account.id})${who}` };
  }
  // An API token that may not list accounts can still deploy to a named account.
  if (named !== undefined && accounts.length === 0) return { id: named, label: named };
  const why = named === undefined ? "Which account?" : `This login does not reach the account ${named}.`;
  const known = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  throw new DeployError(
    `${why} Name one in CLOUDFLARE_ACCOUNT_ID, or as account_id in wrangler.toml. It reaches:\n${known || "  none"}`,
  );
}
