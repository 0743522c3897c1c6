// The product's Worker with one route more: the least that storing rows can take in the same database.
// JavaScript, because the Worker's types and Node's do not go together in one program.
import worker from "../../../service/src/worker.ts";

export { Background } from "../../../service/src/worker.ts";

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
