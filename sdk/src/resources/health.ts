import type { Call } from "../call.ts";
import type { Health as HealthAnswer } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** Whether the service answers. */
export class Health {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /** Check that the service answers. It does so for any key and without touching the database. */
  get(options: CallOptions = {}): Call<HealthAnswer> {
    return this.#http.call(options, (client, init) => client.GET("/health", { ...init }));
  }
}
