import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { FileFlag } from './reloaded-files.ts';

/** A file of a flag, with its content. */
export interface FileText extends FileFlag {
  readonly text: string;
}

/**
 * The reason why TLS cannot use a certificate and a private key together, with the flag at fault; undefined when it
 * can.
 */
export function keyPairProblem(cert: FileText, key: FileText): string | undefined {
  const certificate = attempt(() => new X509Certificate(cert.text));
  if (certificate === undefined)
    return `--${cert.flag} ${cert.path}: the file must contain a certificate in PEM`;
  const privateKey = readKey(key.text);
  if (typeof privateKey === 'string') return `--${key.flag} ${key.path}: ${privateKey}`;
  if (!certificate.checkPrivateKey(privateKey))
    return `--${key.flag} is not the key of --${cert.flag} (${key.path}, ${cert.path})`;
  // Such as a chain with a broken certificate, or a key that is too short.
  const isUsable = attempt(() => createSecureContext({ cert: cert.text, key: key.text })) !== undefined;
  return isUsable ? undefined : `--${cert.flag} ${cert.path}: TLS cannot use the certificates in it`;
}

function readKey(text: string): KeyObject | string {
  if (text.includes('ENCRYPTED')) return 'the private key is encrypted: give it without a passphrase';
  return attempt(() => createPrivateKey(text)) ?? 'the file must contain a private key in PEM';
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
