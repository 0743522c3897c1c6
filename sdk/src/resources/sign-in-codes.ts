import type { Call } from "../call.ts";
import type { ApiKeyWithSecret, SignInCode } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** Create and redeem codes, with which a person signs in to the console without typing a key. */
export class SignInCodes {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Create a code that is used once, within an hour. It replaces an earlier code of the key. Needs the scope `admin`.
   *
   * @example
   * ```ts
   * const { code } = await engram.signInCodes.create();
   * console.log(code.startsWith("engram_code_")); // true; the link is `${url}/#/sign-in/${code}`
   * ```
   */
  create(options: CallOptions = {}): Call<SignInCode> {
    return this.#http.call(options, (client, init) => client.POST("/v1/sign-in-codes", { ...init }));
  }

  /**
   * Create a key with a code instead of a key. It has the scopes of the key that created the code, for twelve hours at
   * most. The call is not retried, because the code is used up.
   *
   * @throws {ApiError} `unauthenticated` if the code was used or replaced, if it has expired, or if its key is not
   *   active.
   * @example
   * ```ts
   * const { code } = await engram.signInCodes.create();
   * const { secret, expires_at } = await engram.signInCodes.redeem(code);
   * ```
   */
  redeem(code: string, options: CallOptions = {}): Call<ApiKeyWithSecret> {
    const headers = { authorization: `Bearer ${code}` };
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/sign-in-codes/redeem", { ...init, headers }),
    );
  }
}
