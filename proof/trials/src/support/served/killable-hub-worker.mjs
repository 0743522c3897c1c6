// The product's Worker with a route that kills the hub of an organization, with its memory and its sockets. JavaScript,
// because the types of Workers and of Node conflict in one program.
import { createEntry } from "../../../../../service/src/entry.ts";

const { handlers, Background, Cell, Hub: ProductHub } = createEntry();

class Hub extends ProductHub {
  kill() {
    this.ctx.abort("killed by a trial");
  }
}

export { Background, Cell, Hub };
export default {
  ...handlers,
  async fetch(request, env, ctx) {
    const [, organizationId] = /^\/kill-hub\/(\w+)$/.exec(new URL(request.url).pathname) ?? [];
    if (organizationId === undefined) return handlers.fetch(request, env, ctx);
    await env.HUB.getByName(organizationId)
      .kill()
      .catch(() => {});
    return new Response(null, { status: 204 });
  },
};
