import { StartError } from "./start-error.ts";

/**
 * A link that signs a person in to the console, once and within an hour.
 *
 * @param key Needs the scope `admin`.
 * @throws {StartError} If the service responds unexpectedly.
 */
export async function createSignInLink({ url, key }: { url: string; key: string }): Promise<string> {
  const response = await fetch(`${url}/v1/sign-in-codes`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  if (response.status !== 201)
    throw new StartError(`The service answered POST /v1/sign-in-codes with ${response.status}: ${text}`);
  return `${url}/#/sign-in/${(JSON.parse(text) as { code: string }).code}`;
}
