import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { readSigningKey, readTokenKeys, type SigningKey, type TokenKey, TokenKeyError } from '@orch/auth';
import { type Env, messageOf } from '@orch/machinery';
import { readFlagFile, StartError } from '@orch/program';
import type { ApiServerFlags } from '../api-server-flags.ts';
import { withFileLock } from '../certificates/file-lock.ts';
import { readIfPresent, writePrivateFile } from '../certificates/files.ts';

/** The keys that this server knows of itself. */
export interface OwnTokenKeys {
  /** Undefined when tokens are checked here, and made elsewhere. */
  readonly signing: SigningKey | undefined;
  /** Everything that tokens are checked with, the signing key too. */
  readonly checking: readonly TokenKey[];
  /** The server made its key, so that other replicas have to be told. */
  readonly isSelfMade: boolean;
}

type KeyFlags = Pick<ApiServerFlags, 'serviceAccountKeyFiles' | 'serviceAccountSigningKeyFile' | 'certDir'>;

const FILE = 'service-account.key';

/**
 * Reads the keys that the flags name. Without any, the key that tokens are signed with is kept in `--cert-dir`, made when
 * absent; replicas with the same folder share it. `servingKey` (PEM) is what tokens were checked with when nothing else
 * is said (access-control document, 5.5). Throws `StartError`.
 */
export async function ownTokenKeys(
  flags: KeyFlags,
  servingKey: string,
  env: Pick<Env, 'clock' | 'random' | 'log'>,
  signal: AbortSignal,
): Promise<OwnTokenKeys> {
  const { serviceAccountKeyFiles: files, serviceAccountSigningKeyFile: signingFile } = flags;
  const given = files.map((path) => {
    const pem = readFlagFile('service-account-key-file', path);
    return said(`--service-account-key-file ${path}`, () => ({
      keys: readTokenKeys(pem),
      signing: readSigningKey(pem),
    }));
  });
  const isSelfMade = files.length === 0 && signingFile === '';
  const signing = isSelfMade
    ? await keptKey(flags.certDir, env, signal)
    : signingFile === ''
      ? given.map((file) => file.signing).find((key) => key !== undefined)
      : signingKeyOf(signingFile);
  const known = files.length === 0 ? usableKeys(servingKey) : given.flatMap(({ keys }) => keys);
  return { signing, checking: [...(signing === undefined ? [] : [signing]), ...known], isSelfMade };
}

function said<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TokenKeyError) throw new StartError(`${what}: ${error.message}`);
    throw error;
  }
}

function signingKeyOf(path: string): SigningKey {
  const what = `--service-account-signing-key-file ${path}`;
  const pem = readFlagFile('service-account-signing-key-file', path);
  const key = said(what, () => readSigningKey(pem));
  if (key === undefined) throw new StartError(`${what}: there is no private key in it`);
  return key;
}

/** The serving certificate may have a key of another kind, which no token can have been signed with. */
function usableKeys(pem: string): readonly TokenKey[] {
  try {
    return readTokenKeys(pem);
  } catch (error) {
    if (error instanceof TokenKeyError) return [];
    throw error;
  }
}

/** A key that cannot be read is not replaced: whoever put it there should know, since tokens depend on it. */
async function keptKey(
  dir: string,
  env: Pick<Env, 'clock' | 'random' | 'log'>,
  signal: AbortSignal,
): Promise<SigningKey> {
  const path = join(dir, FILE);
  const pem = await withFileLock(join(dir, '.lock'), env, signal, () => {
    const kept = readIfPresent(path);
    if (kept !== undefined) return kept;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const made = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    writePrivateFile(path, made, env.random);
    return made;
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new StartError(`--cert-dir ${dir}: ${messageOf(error)}`);
  });
  const key = said(path, () => readSigningKey(pem));
  if (key === undefined) throw new StartError(`${path}: there is no private key in it`);
  return key;
}
