/** When credentials end. Pure. */
import { X509Certificate } from "node:crypto";

/** The first end of these certificates (base64 of PEM), RFC 3339 in UTC. */
export function firstExpiry(certificates: readonly (string | undefined)[]): string {
  const given = certificates.filter((text) => text !== undefined);
  const ends = given.map((text) => {
    const certificate = new X509Certificate(Buffer.from(text, "base64"));
    return new Date(certificate.validTo).getTime();
  });
  return new Date(Math.min(...ends)).toISOString();
}
