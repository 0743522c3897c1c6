import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";

/** The claims of Cloudflare Access about a service token, which a test may change. */
export interface Claims {
  issuer?: string;
  audience?: string;
  expiresAt?: Date;
  notBefore?: Date;
  /** Takes precedence over `common_name`. Without it, the assertion is a user's. */
  payload?: Record<string, unknown>;
}

/** A stand-in for a team's domain of Cloudflare Access: it publishes its keys, and signs with the newest. */
export interface AccessStandIn {
  url: string;
  /** An assertion as Access creates it for an application. */
  sign(commonName: string, claims?: Claims): Promise<string>;
  /** Signs with a new key from now on, and publishes it with the old ones. */
  rotate(): Promise<void>;
  /** Whether it responds to requests for its keys. */
  answers: boolean;
  /** Number of requests for its keys. */
  asked: number;
  stop(): Promise<void>;
}

export const AUDIENCE = "4714c1358e65fe4b408ad6d432a5f878f08194bdb4752441fd56faefa9b2b6f2";

export async function startAccessStandIn(): Promise<AccessStandIn> {
  const keys: { id: string; privateKey: CryptoKey; publicKey: CryptoKey }[] = [];
  const addKey = async () => {
    keys.push({ id: `key-${keys.length + 1}`, ...(await generateKeyPair("RS256")) });
  };
  await addKey();
  const server = createServer(async (request, response) => {
    standIn.asked += 1;
    if (!standIn.answers || request.url !== "/cdn-cgi/access/certs") {
      response.writeHead(503).end();
      return;
    }
    const published = keys.map(async ({ id, publicKey }) => ({
      ...(await exportJWK(publicKey)),
      ...{ kid: id, use: "sig", alg: "RS256" },
    }));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ keys: await Promise.all(published) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const standIn: AccessStandIn = {
    url,
    answers: true,
    asked: 0,
    async sign(commonName, claims = {}) {
      const key = keys.at(-1);
      if (key === undefined) throw new Error("there is no key");
      return new SignJWT(claims.payload ?? { type: "app", common_name: commonName })
        .setProtectedHeader({ alg: "RS256", kid: key.id, typ: "JWT" })
        .setIssuer(claims.issuer ?? url)
        .setAudience([claims.audience ?? AUDIENCE])
        .setSubject("")
        .setIssuedAt()
        .setNotBefore(claims.notBefore ?? new Date())
        .setExpirationTime(claims.expiresAt ?? new Date(Date.now() + 60_000))
        .sign(key.privateKey);
    },
    rotate: addKey,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return standIn;
}
