import type { openDoors } from "./oauth.ts";

/** A browser without script: it keeps cookies, and sends the forms of pages. */
export function openBrowser(doors: Pick<ReturnType<typeof openDoors>, "send">, root: string) {
  const cookies = new Map<string, string>();
  const open = async (url: string, init: RequestInit = {}): Promise<Page> => {
    const path = url.startsWith(root) ? url.slice(root.length) : url;
    const headers = new Headers(init.headers);
    if (cookies.size > 0)
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await doors.send(path, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return { path, response, html: await response.text() };
  };
  /** Presses a button of a page: sends the fields that are hidden, ticked or chosen, and these. */
  const press = (page: Page, decision: string, fields: Record<string, string> = {}): Promise<Page> => {
    const form = new URLSearchParams({
      ...hiddenIn(page.html),
      ...(decision === "" ? {} : { decision }),
      ...fields,
    });
    if (!("scope" in fields)) for (const scope of tickedIn(page.html)) form.append("scope", scope);
    const action =
      /<form method="post" action="([^"]+)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? page.path;
    return open(action, { method: "POST", body: form });
  };
  return { cookies, open, press };
}

export interface Page {
  path: string;
  response: Response;
  html: string;
}

export type Browser = ReturnType<typeof openBrowser>;

const hiddenIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

const tickedIn = (html: string): string[] =>
  [...html.matchAll(/name="scope"\s+value="(\w+)" checked/g)].map(([, scope = ""]) => scope);

/** Where a page or a redirect sends the browser. */
export const targetOf = ({ response }: Page): string =>
  response.headers.get("location") ?? /url=(.+)$/.exec(response.headers.get("refresh") ?? "")?.[1] ?? "";

/** What a page refuses. */
export const refusalIn = ({ html }: Page): string | undefined =>
  /class="refusal"[^>]*>([^<]*)</.exec(html)?.[1];
