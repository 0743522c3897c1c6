import type { Scope } from "@engram/spec";

/** What a key identifies: its organization, its permissions, and the agent that it is bound to, if any. */
export interface Principal {
  organizationId: string;
  /** Number of the organization. Each of its terms in the keyword index begins with it. */
  organizationNumber: number;
  keyId: string;
  /** First characters of the secret, which may be logged and shown. */
  keyPrefix: string;
  scopes: readonly Scope[];
  /** The only agent whose data the key can read and write; null for all agents. */
  agentId: string | null;
  expiresAtMs: number | null;
}
