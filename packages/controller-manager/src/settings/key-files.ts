import { readFile } from 'node:fs/promises';
import type { AuthorityContent, Content } from '@orch/controllers';
import { messageOf } from '@orch/machinery';
import { readSigningKey } from '@orch/pki/jws';
import { readAuthority } from '@orch/pki/x509';
import { readCertificateBundle, readFlagFile, StartError, UsageError } from '@orch/program';

/** The current content of the file of a flag. */
const fileContent = (flag: string, path: string): Content => ({
  origin: `--${flag} ${path}`,
  read: () => readFile(path, 'utf8'),
});

/** A string in memory. */
export const fixedContent = (origin: string, text: string): Content => ({
  origin,
  read: async () => text,
});

/** A string that may change between reads; reading fails while there is none. */
export const currentContent = (origin: string, current: () => string | undefined): Content => ({
  origin,
  read: async () => {
    const text = current();
    if (text === undefined) throw new Error(`${origin} is missing`);
    return text;
  },
});

/** Values of a pair of flags, with the names of the flags. */
export interface PairFlags {
  readonly certFlag: string;
  readonly certFile: string;
  readonly keyFlag: string;
  readonly keyFile: string;
}

/**
 * An authority whose certificate and key are in files; undefined when neither flag is set. Throws `UsageError` when only
 * one is set, `StartError` for unusable files.
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
  orStartError(`--${certFlag} ${certFile}, --${keyFlag} ${keyFile}`, () => readAuthority(cert, key));
  return { cert: fileContent(certFlag, certFile), key: fileContent(keyFlag, keyFile) };
}

/** The file with the key that signs tokens. Throws `StartError` when it contains no private key. */
export function tokenKeyFile(flag: string, path: string): Content | undefined {
  if (path === '') return undefined;
  const pem = readFlagFile(flag, path);
  const key = orStartError(`--${flag} ${path}`, () => readSigningKey(pem));
  if (key === undefined) throw new StartError(`--${flag} ${path}: it contains no private key`);
  return fileContent(flag, path);
}

/** The file with trusted certificate authorities. Throws `StartError` when it contains anything else. */
export function rootCaFile(flag: string, path: string): Content | undefined {
  if (path === '') return undefined;
  readCertificateBundle(flag, path);
  return fileContent(flag, path);
}

function orStartError<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new StartError(`${what}: ${messageOf(error)}`);
  }
}
