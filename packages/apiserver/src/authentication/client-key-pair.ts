import { createSecureContext } from 'node:tls';
import { messageOf } from '@orch/machinery';
import { StartError } from '@orch/program';
import type { FileFlag } from '../reload/reloaded-files.ts';

/** A client certificate and its key in PEM. */
export interface ClientKeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Throws a `StartError` when only one of the flags is given. */
export function checkGivenTogether(certificate: FileFlag, privateKey: FileFlag): void {
  if ((certificate.path === '') !== (privateKey.path === ''))
    throw new StartError(`--${certificate.flag} and --${privateKey.flag} must be given together`);
}

/** The content of both files. Throws a `StartError` with the flag of the certificate when it is invalid. */
export function clientKeyPair({ flag, path }: FileFlag, cert: string, key: string): ClientKeyPair {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new StartError(`--${flag} ${path}: ${messageOf(error)}`);
  }
  return { cert, key };
}
