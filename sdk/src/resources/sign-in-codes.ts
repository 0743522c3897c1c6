import type { Call } from "../call.ts";
import { SignInCodes as GeneratedSignInCodes } from "../generated/resources.ts";
import type { ApiKeyWithSecret } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** Create and redeem codes, with which a person signs in to the console without typing a key. */
export class SignInCodes extends GeneratedSignInCodes {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    super(http);
    this.#http = http;
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
