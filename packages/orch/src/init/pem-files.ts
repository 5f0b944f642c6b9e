import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { encodePem, pemBlocks } from '@orch/pki/x509';
import { StartError } from '@orch/program';

/** The certificates of a bundle, one PEM block each. Throws a `StartError` that names the file. */
export function certificatesIn(file: string, text: string): readonly string[] {
  const found = [...pemBlocks(text)].filter(({ label }) => label === 'CERTIFICATE');
  if (found.length === 0)
    throw new StartError(
      `${file} contains no certificate: restore it from a backup, or remove it and its key`,
    );
  const all = found.map(({ bytes }) => encodePem('CERTIFICATE', bytes));
  for (const one of all) readCertificate(file, one);
  return [...new Set(all)];
}

/** Throws a `StartError` that names the file. */
export function readCertificate(file: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new StartError(`${file} contains a certificate that cannot be read: restore it from a backup`, {
      cause,
    });
  }
}

/** Throws a `StartError` that names the file: keys are never replaced. */
export function readPrivateKey(file: string, pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new StartError(
      `${file} contains no private key that can be read: restore it from a backup, or remove it to have a new one made`,
    );
  }
}

export const beginningOf = (certificate: X509Certificate): number => Date.parse(certificate.validFrom);

/** The reason of a renewal: the clock was ahead when the certificate was made. */
export const beginsLater = (certificate: X509Certificate): string =>
  `not valid before ${new Date(beginningOf(certificate)).toISOString()}`;

export const expiryOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo);

/** Identifies a certificate or a public key in normalized PEM. */
export const idOf = (pem: string): string => createHash('sha256').update(pem).digest('hex');
