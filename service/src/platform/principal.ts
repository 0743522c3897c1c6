import type { Role, Scope } from "@engram/spec";

export interface GrantClient {
  id: string;
  /** As the client calls itself. */
  name: string;
}

export interface Principal {
  organizationId: string;
  /** Each of the organization's terms in the keyword index begins with this number. */
  organizationNumber: number;
  /** Id of the key, or of the member. */
  keyId: string;
  /** First characters of the secret, which may be logged and shown. */
  keyPrefix: string;
  /** Role of the member; null for a key. */
  role: Role | null;
  scopes: readonly Scope[];
  /** The only agent whose data the key can read and write; null for all agents. */
  agentId: string | null;
  /** The only user whose data the key can write, and read beside what is shared; null for all users. */
  userId: string | null;
  expiresAtMs: number | null;
  /** The grant with which a client acts for the key; null for a request with the key itself. */
  grantId: string | null;
  /** The client of the grant; null without one. */
  client: GrantClient | null;
  /**
   * Secret of the hashes of tombstones; null if there are none. An organization may have got its first one since the
   * principal was read: `assertMayStore` checks that.
   */
  tombstoneKey: string | null;
}

/** Whether the key can only read a conversation or memory that it can read. */
export const isReadOnly = (
  principal: Pick<Principal, "userId"> | undefined,
  { shared }: { shared: boolean },
): boolean => shared && principal?.userId !== null;

/** Id of what a request authenticates with: of the grant, or else of the key. */
export const credentialOf = ({ grantId, keyId }: Pick<Principal, "grantId" | "keyId">): string =>
  // Sockets that were opened by an earlier version have no `grantId`.
  grantId ?? keyId;

/** The credential of a socket. For a member, a blank and the role follow, because the socket ends with another role. */
export const roleCredentialOf = (principal: Pick<Principal, "grantId" | "keyId" | "role">): string =>
  [credentialOf(principal), ...(principal.role ? [principal.role] : [])].join(" ");
