import type { Scope } from "@engram/spec";

/** Whom a key speaks for, and what it allows. */
export interface Principal {
  organizationId: string;
  /** The organization's number in the term prefix of the keyword index. */
  organizationNumber: number;
  keyId: string;
  /** The part of the secret that may be shown. */
  keyPrefix: string;
  scopes: readonly Scope[];
  /** The only agent whose data the key can read and write; null for all agents. */
  agentId: string | null;
  expiresAtMs: number | null;
}
