import { Database as ProductDatabase } from "../../src/database/service.ts";

/** The object, which a test can reset. */
export class Database extends ProductDatabase {
  abort(): void {
    this.ctx.abort("reset by a test");
  }
}

export default { fetch: () => new Response() };
