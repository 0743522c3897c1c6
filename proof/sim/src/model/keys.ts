import type { Write } from "./write.ts";

export interface KeyModel {
  id: string;
  secret: string;
  revocations: { write: Write }[];
}
