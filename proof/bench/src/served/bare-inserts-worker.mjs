// The product's Worker with an additional route: the shortest time in which the same database stores rows.
// JavaScript, because the types of Workers and of Node conflict in one program.
import worker from "../../../../service/src/worker.ts";

export { Background } from "../../../../service/src/worker.ts";

const CREATE = `CREATE TABLE IF NOT EXISTS bare_messages (
  id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL, role TEXT NOT NULL, name TEXT, content TEXT NOT NULL,
  created_at TEXT NOT NULL) STRICT, WITHOUT ROWID`;
const INSERT = `INSERT INTO bare_messages (id, conversation_id, role, name, content, created_at)
  SELECT value ->> 'id', value ->> 'conversation_id', value ->> 'role', value ->> 'name', value ->> 'content',
         value ->> 'created_at'
    FROM json_each(?1)`;

export default {
  ...worker,
  async fetch(request, env, ctx) {
    if (!request.url.endsWith("/bare")) return worker.fetch(request, env, ctx);
    if (request.method === "PUT") await env.DB.prepare(CREATE).run();
    else
      await env.DB.prepare(INSERT)
        .bind(await request.text())
        .run();
    return new Response(null, { status: 204 });
  },
};
