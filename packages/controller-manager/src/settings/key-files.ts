import type { AuthorityContent, Content } from '@orch/controllers';
import { messageOf } from '@orch/machinery';
import { readSigningKey } from '@orch/pki/jws';
import { readAuthority } from '@orch/pki/x509';
import { readCertificateBundle, readFlagFile, StartError, UsageError } from '@orch/program';
import { fileContent } from './content.ts';

/** Values of a pair of flags, with the names of the flags. */
export interface PairFlags {
  readonly certFlag: string;
  readonly certFile: string;
  readonly keyFlag: string;
  readonly keyFile: string;
}

/**
 * An authority whose certificate and key are in files; undefined when neither is named. What cannot be used stops the
 * start: throws `UsageError` for half of a pair, `StartError` for files.
 */
export function authorityFiles({
  certFlag,
  certFile,
  keyFlag,
  keyFile,
}: PairFlags): AuthorityContent | undefined {
  if (certFile === '' && keyFile === '') return undefined;
  if (certFile === '' || keyFile === '')
    throw new UsageError(`--${certFlag} and --${keyFlag} must be given together`);
  const cert = readFlagFile(certFlag, certFile);
  const key = readFlagFile(keyFlag, keyFile);
  said(`--${certFlag} ${certFile}, --${keyFlag} ${keyFile}`, () => readAuthority(cert, key));
  return { cert: fileContent(certFlag, certFile), key: fileContent(keyFlag, keyFile) };
}

/** The file with the key that signs tokens. Throws `StartError` when there is no such key in it. */
export function tokenKeyFile(flag: string, path: string): Content | undefined {
  if (path === '') return undefined;
  const pem = readFlagFile(flag, path);
  const key = said(`--${flag} ${path}`, () => readSigningKey(pem));
  if (key === undefined) throw new StartError(`--${flag} ${path}: there is no private key in it`);
  return fileContent(flag, path);
}

/** The file with authorities that are to be trusted. Throws `StartError` when there is something else in it. */
export function rootCaFile(flag: string, path: string): Content | undefined {
  if (path === '') return undefined;
  readCertificateBundle(flag, path);
  return fileContent(flag, path);
}

function said<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new StartError(`${what}: ${messageOf(error)}`);
  }
}
