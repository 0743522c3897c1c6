import type { Call } from "../call.ts";
import type { Health as HealthAnswer, Readiness } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** Check whether the service responds and is ready. */
export class Health {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Check that the service responds. The key is not checked, and the database is not used.
   *
   * @example
   * ```ts
   * const { status } = await engram.health.get();
   * ```
   */
  get(options: CallOptions = {}): Call<HealthAnswer> {
    return this.#http.call(options, (client, init) => client.GET("/health", { ...init }));
  }

  /**
   * Check that the service is ready: its database responds and has every migration that this version
   * requires.
   *
   * @throws {ApiError} `unavailable` when the service is not ready, after the retries that every call makes.
   * @example
   * ```ts
   * const { migration } = await engram.health.ready();
   * ```
   */
  ready(options: CallOptions = {}): Call<Readiness> {
    return this.#http.call(options, (client, init) => client.GET("/ready", { ...init }));
  }
}
