import type { Env } from "../../src/invocation.ts";
import type { Ledger } from "./counting.ts";
import { type Clock, Service } from "./invocations.ts";

/** A service whose sweeps and what they call are invocations of their own. */
export class CountedService extends Service {
  readonly #ledger: Ledger;
  /** Statements of the invocation that ran most. */
  most = 0;

  constructor(ledger: Ledger, clock: Clock, more: Partial<Env> = {}) {
    super({ ...ledger.bindings, ...more }, clock);
    this.#ledger = ledger;
  }

  override async sweepAt(...place: Parameters<Service["sweepAt"]>): Promise<void> {
    this.#ledger.reset();
    await super.sweepAt(...place);
    this.#note();
  }

  override async indexApart(...input: Parameters<Service["indexApart"]>): Promise<boolean> {
    this.#note();
    const isDown = await super.indexApart(...input);
    this.#note();
    return isDown;
  }

  override async enrichApart(...input: Parameters<Service["enrichApart"]>): Promise<boolean> {
    this.#note();
    const isMore = await super.enrichApart(...input);
    this.#note();
    return isMore;
  }

  override async purgeApart(...input: Parameters<Service["purgeApart"]>): Promise<boolean> {
    this.#note();
    const isMore = await super.purgeApart(...input);
    this.#note();
    return isMore;
  }

  #note(): void {
    this.most = Math.max(this.most, this.#ledger.statements);
    this.#ledger.reset();
  }
}
