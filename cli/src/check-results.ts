/** What a check of `engram doctor` found. `mend` says what to do. */
export interface Check {
  name: string;
  status: "ok" | "warn" | "fail" | "skip";
  detail: string;
  mend: string | null;
}

export const ok = (name: string, detail: string): Check => ({ name, status: "ok", detail, mend: null });
export const warn = (name: string, detail: string, mend: string): Check => ({
  name,
  status: "warn",
  detail,
  mend,
});
export const fail = (name: string, detail: string, mend: string): Check => ({
  name,
  status: "fail",
  detail,
  mend,
});
export const skip = (name: string, detail: string): Check => ({ name, status: "skip", detail, mend: null });
