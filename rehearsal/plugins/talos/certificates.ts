import { X509Certificate } from "node:crypto";

/** When a certificate given as base64 of PEM expires; undefined when it cannot be read. */
export function expiryOf(base64Pem: string | undefined): Date | undefined {
  if (base64Pem === undefined || base64Pem === "") return undefined;
  try {
    return new Date(new X509Certificate(Buffer.from(base64Pem, "base64")).validTo);
  } catch {
    return undefined;
  }
}
