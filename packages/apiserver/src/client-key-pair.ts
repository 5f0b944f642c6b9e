import { createSecureContext } from 'node:tls';
import { messageOf } from '@orch/machinery';
import { readFlagFile, StartError } from '@orch/program';

/** A flag with the path of a file; no file when the path is empty. */
export interface FileFlag {
  readonly flag: string;
  readonly path: string;
}

/** A client certificate and its key in PEM. */
export interface ClientKeyPair {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads the client certificate that two flags name; undefined when neither is given. Throws a `StartError` that names the
 * flag whose file cannot be used.
 */
export function readClientKeyPair(certificate: FileFlag, privateKey: FileFlag): ClientKeyPair | undefined {
  if (certificate.path === '' && privateKey.path === '') return undefined;
  if (certificate.path === '' || privateKey.path === '')
    throw new StartError(`--${certificate.flag} and --${privateKey.flag} must be given together`);
  const cert = readFlagFile(certificate.flag, certificate.path);
  const key = readFlagFile(privateKey.flag, privateKey.path);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new StartError(`--${certificate.flag} ${certificate.path}: ${messageOf(error)}`);
  }
  return { cert, key };
}
