import { X509Certificate } from 'node:crypto';
import { pemBlocks } from './pem.ts';

/** Certificate chains have a few certificates, trust bundles some hundred. */
const MAX_CERTIFICATES = 1000;

/** The concatenated certificates of a block; undefined when they are malformed. */
function readBlock(bytes: Buffer): readonly Buffer[] | undefined {
  const found: Buffer[] = [];
  let rest = bytes;
  try {
    while (rest.length > 0 && found.length < MAX_CERTIFICATES) {
      const { raw } = new X509Certificate(rest);
      found.push(raw);
      rest = rest.subarray(raw.length);
    }
  } catch {
    return undefined;
  }
  return found.length === 0 ? undefined : found;
}

/**
 * The certificates, in DER, of a string of PEM blocks that are all labelled CERTIFICATE and have no headers (spec 2.6),
 * or the problem with it.
 */
export function readCertificates(pem: string): readonly Buffer[] | string {
  const found: Buffer[] = [];
  for (const { label, hasHeaders, bytes } of pemBlocks(pem)) {
    if (label !== 'CERTIFICATE') {
      return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(label.slice(0, 64))}`;
    }
    if (hasHeaders) return 'no PEM block headers are permitted';
    const certificates = readBlock(bytes);
    if (certificates === undefined) return 'a CERTIFICATE PEM block that does not contain a certificate';
    found.push(...certificates);
    if (found.length > MAX_CERTIFICATES) return `must hold at most ${MAX_CERTIFICATES} certificates`;
  }
  return found.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : found;
}
