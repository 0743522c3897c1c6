import { type EntityKind, MESSAGE_MENTIONS_MAX } from "@engram/spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import * as inSteps from "../../src/text/entities/index.ts";
import { ENTITY_RULES } from "../../src/text/entities/index.ts";
import { runAtOnce } from "../../src/text/pace.ts";

const findEntities = (text: string, saidAt: Date | string) => runAtOnce(inSteps.findEntities(text, saidAt));

/** A Thursday. */
const AT = "2026-06-04T08:20:00Z";

const found = (kind: EntityKind, text: string): string[] =>
  findEntities(text, AT)
    .filter((mention) => mention.kind === kind)
    .map(({ start, end }) => text.slice(start, end));

/** Texts with the entities in them, joined by ` | `. */
type Examples = [text: string, found: string][];

const EXAMPLES: Record<Exclude<EntityKind, "date">, Examples> = {
  file: [
    ["See src/utils/parse.ts:12:5 and lib/a.rs(12,5).", "src/utils/parse.ts | lib/a.rs"],
    ["~/.ssh/config, ./run and ..\\lib\\x.dll", "~/.ssh/config | ./run | ..\\lib\\x.dll"],
    ["C:\\Users\\anna\\report.docx", "C:\\Users\\anna\\report.docx"],
    ["C:\\Program Files (x86)\\Git\\bin\\git.exe is", "C:\\Program Files (x86)\\Git\\bin\\git.exe"],
    ["grep x src/**/*.ts *.log", "src/**/*.ts"],
    ["/etc/nginx/nginx.conf, /var/lib/app and tests/", "/etc/nginx/nginx.conf | /var/lib/app | tests/"],
    ["The Dockerfile, .gitignore and .env.local", "Dockerfile | .gitignore | .env.local"],
    ["logo@2x.png, libssl.so.3, README.md's", "logo@2x.png | libssl.so.3 | README.md"],
    ["curl -d @order.json docs/adr/7.md#L10", "order.json | docs/adr/7.md"],
    ["GET /v1/users/{user_id} and /healthz and POST /api/items/", ""],
    ["and/or, TCP/IP, 24/7, km/h, text/html, application/json", ""],
    ["feature/login, origin/main, @acme/core, acme/web", ""],
    ["Node.js, Next.js, example.com/start, docs.rs", ""],
  ],
  symbol: [
    ["fetchUserById, ItemList and HTTPServer", "fetchUserById | ItemList | HTTPServer"],
    ["user_id, MAX_RETRIES and __init__", "user_id | MAX_RETRIES | __init__"],
    ["std::vector, App\\Jobs\\Send, User#name", "std::vector | App\\Jobs\\Send | User#name"],
    ["Newtonsoft.Json", "Newtonsoft.Json"],
    ["response.data.items, os.path, Math.max", "response.data.items | os.path | Math.max"],
    ["init() and setTimeout(fn, 100) but file(s) and f(x)", "init | setTimeout"],
    ["$store.dispatch and @Component({})", "$store.dispatch | Component"],
    ["GitHub, MySQL, iPhone, OAuth, McArthur, URLs, PhD", ""],
    ["en_US, x86_64, node_modules, @john_doe, #some_tag, --max_old", ""],
    ["cus_9s6XKzkN, eSIM, nil:NilClass, Mr.Smith, $count, DataBridge GmbH, the ConfigMap", ""],
    ["api.example.com, e.g. this, production.ERROR, end.Then", ""],
  ],
  error_code: [
    ["ECONNREFUSED, EACCES and ERR_MODULE_NOT_FOUND", "ECONNREFUSED | EACCES | ERR_MODULE_NOT_FOUND"],
    ["TS2345, error[E0382], ORA-00942, CVE-2024-3094", "TS2345 | E0382 | ORA-00942 | CVE-2024-3094"],
    ["java.io.IOException: KeyError, DOMException", "java.io.IOException | KeyError | DOMException"],
    [
      "exit code 2, exited with code 137, exit status 1",
      "exit code 2 | exited with code 137 | exit status 1",
    ],
    [
      "HTTP 429, 404 Not Found and 422 Unprocessable Entity",
      "HTTP 429 | 404 Not Found | 422 Unprocessable Entity",
    ],
    ["SIGKILL, CrashLoopBackOff, Error: AccessDenied", "SIGKILL | CrashLoopBackOff | AccessDenied"],
    ["SQLSTATE 23505, SQLSTATE[42S02], 0x80070005", "23505 | 42S02 | 0x80070005"],
    ["failed with AUTH_GONE, but set AUTH_MODE", "AUTH_GONE"],
    ["port 8080, 404 items, 200 users, SIGNAL, onError, Error", ""],
  ],
  command: [
    ["`npm install` and `foo --bar`, not `npm` or `x = 1`", "npm install | foo --bar"],
    ["$ git push origin\nEverything up-to-date", "git push origin"],
    ["me@box:~/app$ ls -la\nPS C:\\x> Get-Item -Force", "ls -la | Get-Item -Force"],
    ["```sh\n# build\nmake all\nA=1 ./run\n```", "make all | A=1 ./run"],
    ["```\n$ cargo test\nrunning 3 tests\n```", "cargo test"],
    ["```\nnpm ERR! code E404\n```", ""],
    ["```\nnpm ci\nadded 3 packages\n```", "npm ci"],
    ["```bash\ncurl x \\\n  -d @y\n```", "curl x \\ | -d @y"],
    ["```sh\ncat <<X >a\nhello there\nX\nls b\n```", "cat <<X >a | ls b"],
    ["```sh\nnode -v\nv20.11.1\nfor a in b; do\nrun a\ndone\n```", "node -v | for a in b; do | run a"],
    ["```js\nconst a = 1;\n```", ""],
    ["`python 3.12`, `return -EINVAL`", ""],
    ["`export const a = 1`, `SELECT * FROM t`, `go func() {}`", ""],
    ["# make it simple\n$ 5 is enough. Find out, sort by date.", ""],
  ],
  url: [
    ["http://a.b/c(d)e), (https://x.y/z).", "http://a.b/c(d)e | https://x.y/z"],
    [
      '<https://q.r> "https://s.t/u?v=w#x", [l](http://m.n)',
      "https://q.r | https://s.t/u?v=w#x | http://m.n",
    ],
    ["www.example.org/a and postgres://u:p@h:5432/db", "www.example.org/a | postgres://u:p@h:5432/db"],
    ["見てhttps://a.b/cを", "https://a.b/c"],
    ["example.org, git@github.com:a/b.git, http:// and ://x", ""],
  ],
  ticket: [
    ["ABC-123, #45, !67 and acme/web#8", "ABC-123 | #45 | !67 | acme/web#8"],
    ["PR 99, PR #100, issue 12, MR 3", "99 | #100 | 12 | 3"],
    ["issues 4, 5 and 6; PLAT-88/PLAT-89", "4 | 5 | 6 | PLAT-88 | PLAT-89"],
    ["UTF-8, SHA-256, COVID-19, INV-2026-0031", ""],
    ["order #1234, color #222, #ff6600, our #1 goal, voucher code NICE-20", ""],
  ],
  version: [
    [
      "v1.2.3, v2, 3.4.5-beta.1, ^1.2.3, ~4.5.6, foo==1.2.0",
      "v1.2.3 | v2 | 3.4.5-beta.1 | 1.2.3 | 4.5.6 | 1.2.0",
    ],
    ["react@18.2.0, acme/web:1.8.0, redis:7.2, curl/8.4.0", "18.2.0 | 1.8.0 | 7.2 | 8.4.0"],
    ["Node 22, Python 3.11 and 3.12, release 7", "22 | 3.11 | 3.12 | 7"],
    ["It goes away in 3.0. Upgrade React to 19.", "3.0 | 19"],
    ["10.0.4.17, section 3.1.4, 1.234.567, 98.6 degrees", ""],
    ["It rose from 3.1 to 3.4 percent. Chrome 5 tabs. redis:6379", ""],
  ],
  amount: [
    ["$1,200.50, $3k, €5, 12,50 €, 1 299,00 EUR", "$1,200.50 | $3k | €5 | 12,50 € | 1 299,00 EUR"],
    ["CHF 2'350.00, 10 euros, $4.2 million, US$20", "CHF 2'350.00 | 10 euros | $4.2 million | US$20"],
    ["two hundred euros, thirty-five dollars, $10/month", "two hundred euros | thirty-five dollars | $10"],
    ["₹1,00,000, 1,00,000 rupees, Rs 2,50,000", "₹1,00,000 | 1,00,000 rupees | Rs 2,50,000"],
    ["Rs.2,50,000, 5 lakh rupees, ₹2.5 crore, ₹3cr", "Rs.2,50,000 | 5 lakh rupees | ₹2.5 crore | ₹3cr"],
    ["CHF 1'000, 1’000 Franken, 12,34,567 INR", "CHF 1'000 | 1’000 Franken | 12,34,567 INR"],
    ["$HOME, `$1`, 5%, 10 pounds of flour, 3.5 kg", ""],
  ],
  email: [
    [
      "a@b.co, <first.last+x@sub.example.com>, mailto:x@y.org",
      "a@b.co | first.last+x@sub.example.com | x@y.org",
    ],
    ["billing@müller-bau.example", "billing@müller-bau.example"],
    ["user@localhost, foo@1.2.3, git@github.com:a/b, `ssh me@web.example`", ""],
  ],
  quoted_name: [
    ['"Blue Ocean", “The Art of War”, "Orion"', "Blue Ocean | The Art of War | Orion"],
    [
      '"O\'Brien", "Winter Launch 2026", "Who Moved My Cheese?"',
      "O'Brien | Winter Launch 2026 | Who Moved My Cheese?",
    ],
    ['"Where is it?", "In the drawer", "yes", "No", "GET"', ""],
    ['name="Foo Bar" {"name":"Foo Bar"} `"Foo Bar"` "Access Denied"', ""],
    ['```\nx = "Hello World"\n"Hello World"\n```', ""],
  ],
};

describe.for(Object.entries(EXAMPLES) as [EntityKind, Examples][])(
  "entities of the kind %s",
  ([kind, examples]) => {
    test.for(examples)("are found in %j: %s", ([text, expected]) => {
      expect(found(kind, text).join(" | ")).toBe(expected);
    });
  },
);

describe("entities of the kind date", () => {
  test.for([
    ["yesterday", "2026-06-03"],
    ["tonight", "2026-06-04"],
    ["the day after tomorrow", "2026-06-06"],
    ["last Friday", "2026-05-29"],
    ["last Thursday", "2026-05-28"],
    ["last Monday", "2026-06-01"],
    ["this Friday", "2026-06-05"],
    ["this Monday", "2026-06-01"],
    ["next Monday", "2026-06-08"],
    ["next Friday", "2026-06-12"],
    ["Monday next week", "2026-06-08"],
    ["last month", "2026-05"],
    ["three weeks ago", "2026-05-14"],
    ["a couple of days ago", "2026-06-02"],
    ["2 months ago", "2026-04"],
    ["3 days from now", "2026-06-07"],
    ["March 3, 2027", "2027-03-03"],
    ["Dec 24", "2025-12-24"],
    ["November 30", "2026-11-30"],
    ["3rd of March", "2026-03-03"],
    ["Monday, May 11", "2026-05-11"],
    ["April 2026", "2026-04"],
    ["2026-02-28", "2026-02-28"],
    ["2026-06-01T23:30:00-05:00", "2026-06-02"],
    ["2026-03-02 08:59:31", "2026-03-02"],
    ["31/05/2026", "2026-05-31"],
    ["12/24/2025", "2025-12-24"],
    ["04.05.2026", "2026-05-04"],
  ] as [string, string][])("%s is resolved to %s", ([text, value]) => {
    const shown = findEntities(`We said ${text}.`, AT);
    expect(shown).toEqual([{ kind: "date", start: 8, end: 8 + text.length, value }]);
  });

  test.for([
    "on Friday, in May, in spring, in 2026, last week, an hour ago, for three days",
    "I may 5 times march; 05/06/2026, February 30, 2026-13-01",
    "the last Friday of each month",
  ])("are not found in %j", (text) => {
    expect(found("date", text)).toEqual([]);
  });

  test("are resolved relative to the message's day in UTC", () => {
    const [tomorrow] = findEntities("tomorrow", new Date("2026-12-31T23:59:59Z"));
    expect(tomorrow?.value).toBe("2027-01-01");
    expect(findEntities("May 5", "2026-11-20T00:00:00Z")[0]?.value).toBe("2027-05-05");
  });

  test('include "in two days" only in a sentence about the future', () => {
    expect(found("date", "It expires in two days.")).toEqual(["in two days"]);
    expect(found("date", "We did it in two days.")).toEqual([]);
  });
});

describe("findEntities", () => {
  test("has a version number for its rules", () => {
    expect(ENTITY_RULES).toBeGreaterThan(0);
  });

  test("returns the entities inside of a command after the command", () => {
    const kinds = findEntities("`pip install -r requirements.txt` of v2", AT).map(({ kind }) => kind);
    expect(kinds).toEqual(["command", "file", "version"]);
  });

  test("does not find subcommands as symbols, or positional arguments as amounts", () => {
    expect(found("symbol", "`openssl s_client -key my_key`")).toEqual(["my_key"]);
    expect(found("amount", "$ cp $1 x")).toEqual([]);
  });

  test("does not find names of branches and containers in commands, or programs as symbols", () => {
    expect(found("symbol", "`git switch fix_login`, `docker run -e DB_HOST=x app_db_1`, pg_dump")).toEqual([
      "DB_HOST",
    ]);
  });

  test("prefers a quoted name of several words to entities inside of it, and a symbol to a quoted word", () => {
    expect(findEntities('"Winter May 5 Launch"', AT).map(({ kind }) => kind)).toEqual(["quoted_name"]);
    expect(findEntities('"DataWorks"', AT).map(({ kind }) => kind)).toEqual(["quoted_name"]);
    expect(findEntities('"users_key"', AT).map(({ kind }) => kind)).toEqual(["symbol"]);
  });

  test("finds mentions next to other scripts and emojis", () => {
    expect(found("symbol", "私は fetchUserByIdを呼ぶ")).toEqual(["fetchUserById"]);
    expect(found("file", "файл src/файл.py 😀src/a.ts😀")).toEqual(["src/файл.py", "src/a.ts"]);
    expect(found("date", "期限は2026-06-01です")).toEqual(["2026-06-01"]);
  });

  test("returns the first 64 mentions by position", () => {
    const text = Array.from({ length: 100 }, (_, i) => `#${i + 10} http://a.b/${i} "Big Name"`).join("\n");
    const mentions = findEntities(text, AT);
    expect(mentions).toHaveLength(MESSAGE_MENTIONS_MAX);
    expect(mentions.at(-1)).toMatchObject({ kind: "ticket", value: "#31" });
    expect(mentions.slice(0, 3).map(({ kind }) => kind)).toEqual(["ticket", "url", "quoted_name"]);
  });

  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(
      " ",
      "\n",
      "`",
      '"',
      "```",
      "$ ",
      "://",
      "@",
      ".",
      "/",
      ":",
      "#",
      "$",
      "€",
      "(",
      "-",
      "_",
      "…",
    ),
    fc.constantFrom(...Object.values(EXAMPLES).flatMap((examples) => examples.map(([text]) => text))),
    fc.constantFrom(
      "last",
      "Friday",
      "May",
      "5",
      "2026",
      "three",
      "weeks",
      "ago",
      "in",
      "Node",
      "exit",
      "code",
    ),
  );

  test("returns the verbatim text in order, with overlaps in commands only, and no lone surrogate", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom("", " "), (pieces, glue) => {
        const text = pieces.join(glue);
        const mentions = findEntities(text, AT);
        let end = 0;
        let last = 0;
        for (const mention of mentions) {
          expect(mention.start).toBeGreaterThanOrEqual(last);
          expect(mention.end).toBeGreaterThan(mention.start);
          expect(mention.end).toBeLessThanOrEqual(text.length);
          last = mention.start;
          if (mention.kind !== "date") expect(mention.value).toBe(text.slice(mention.start, mention.end));
          else expect(mention.value).toMatch(/^\d{4}-\d\d(-\d\d)?$/);
          const verbatim = text.slice(mention.start, mention.end);
          expect(/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(verbatim)).toBe(false);
          if (mention.kind === "command") continue;
          expect(mention.start).toBeGreaterThanOrEqual(end);
          end = mention.end;
        }
      }),
      { numRuns: 500 },
    );
  });

  const LENGTH = scale(1_000_000, 300_000);
  test.for([
    ...["a", ".", "/", "(", "`", "1", '"', "\n", "a ", "1 ", "'", "“", "é", "🎉", "_", "€", "a@", "a:", "a."],
    ...[
      "`a ",
      '"A ',
      "```\n",
      "$ 1\n",
      "http://",
      "www.",
      "://",
      "a\n",
      "may ",
      "May 100 ",
      "1, ",
      "PRs 1 and ",
    ],
    ...[
      `http://a${")".repeat(500)} `,
      `a${"A".repeat(190)}? `,
      `${"$".repeat(190)}! `,
      `1.0.0-${"a".repeat(180)}_ `,
    ],
    ...[
      `${"1".repeat(180)}#a `,
      `${"'".repeat(190)}x `,
      `a@${"a".repeat(500)}$ \n`,
      `\`${"A=1 ".repeat(100)}\`\n`,
    ],
    ...[
      `${":x".repeat(90)} `,
      "{/a ",
      "hundred a ",
      "in two weeks ",
      "color #222 ",
      `a@${"a.".repeat(90)}1 `,
    ],
  ])("takes time proportional to the length of %j, repeated", (unit) => {
    const text = unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH);
    // With quadratic time, the test would reach its time limit.
    expect(findEntities(text, AT).length).toBeLessThanOrEqual(MESSAGE_MENTIONS_MAX);
  });

  test("does work in proportion to the length, in short steps, whatever signs the rules know", () => {
    const LENGTH = 20_000;
    const signs = Array.from("\"“”„«»`$%>#=@/\\~.-_:,;!?*+^&'’()[]{}<>|€1aAé漢 \n\t\u00a0");
    const words = [
      "```\n",
      "~~~\n",
      "```sh\n",
      "npm i\n",
      "://",
      "www.",
      "May 5",
      "in 3 ",
      "one ",
      "Error: ",
      "<<E\n",
      "\\\n",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs, ...words), { minLength: 1, maxLength: 6 }), (pieces) => {
        const unit = pieces.join("");
        const text = unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH);
        const steps = inSteps.findEntities(text, AT);
        let [work, longest] = [0, 0];
        for (let step = steps.next(); !step.done; step = steps.next()) {
          work += step.value;
          longest = Math.max(longest, step.value);
        }
        expect(work).toBeLessThan(40 * LENGTH);
        // A line is read at once.
        expect(longest).toBeLessThan(LENGTH + 100);
      }),
      { numRuns: scale(5_000, 100) },
    );
  });

  test.for(["```\n", "~~~\n", "```sh\nls\n"])(
    "reads a text of %j once, however many blocks it has",
    (unit) => {
      let read = 0;
      const exec = RegExp.prototype.exec;
      RegExp.prototype.exec = function (text: string) {
        read += text.length;
        return exec.call(this, text);
      };
      try {
        findEntities(unit.repeat(2_000), AT);
      } finally {
        RegExp.prototype.exec = exec;
      }
      expect(read).toBeLessThan(40 * unit.length * 2_000);
    },
  );
});
