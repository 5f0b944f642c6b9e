import { createHmac, hkdfSync, scrypt, timingSafeEqual } from 'node:crypto';
import type { Random } from '@orch/machinery';
import { BackupError } from '../backup-error.ts';
import type { EncryptionHeader, KeyDerivation } from '../format/header.ts';

/** The secret with which an operator encrypts a backup. */
export type BackupSecret =
  | { readonly kind: 'passphrase'; readonly passphrase: Buffer }
  /** 32 random bytes. */
  | { readonly kind: 'keyFile'; readonly key: Buffer };

export const KEY_BYTES = 32;
const SALT_BYTES = 32;
const CHECK_BYTES = 8;
/** 128 MiB of memory, and about half a second. */
const SCRYPT = { cost: 2 ** 17, blockSize: 8, parallel: 1 };
/** Limit for parameters in a file. */
const MAX_SCRYPT_BYTES = 1024 * 1024 * 1024;
const MAX_PARALLEL = 16;

/** A separate key for one backup. */
export interface DerivedKey {
  readonly key: Buffer;
  readonly header: EncryptionHeader;
}

export async function newBackupKey(secret: BackupSecret, random: Pick<Random, 'bytes'>): Promise<DerivedKey> {
  const derivation: KeyDerivation =
    secret.kind === 'passphrase' ? { kind: 'passphrase', ...SCRYPT } : { kind: 'keyFile' };
  const salt = Buffer.from(random.bytes(SALT_BYTES));
  const key = await derive(secret, derivation, salt);
  const header = { derivation, salt: salt.toString('base64'), keyCheck: checkOf(key).toString('base64') };
  return { key, header };
}

/** Throws `keyRequired` or `wrongKey`. */
export async function existingBackupKey(
  header: EncryptionHeader,
  secret: BackupSecret | undefined,
): Promise<Buffer> {
  const { derivation, salt, keyCheck } = header;
  if (secret?.kind !== derivation.kind) {
    const needed = derivation.kind === 'passphrase' ? 'its passphrase' : 'its key file';
    throw new BackupError('keyRequired', `the backup is encrypted: ${needed} is needed`);
  }
  const key = await derive(secret, derivation, Buffer.from(salt, 'base64'));
  const expected = Buffer.from(keyCheck, 'base64');
  if (expected.length !== CHECK_BYTES || !timingSafeEqual(expected, checkOf(key))) {
    const given = derivation.kind === 'passphrase' ? 'passphrase' : 'key';
    throw new BackupError('wrongKey', `the ${given} does not match the backup`);
  }
  return key;
}

async function derive(secret: BackupSecret, derivation: KeyDerivation, salt: Buffer): Promise<Buffer> {
  const input =
    secret.kind === 'passphrase' && derivation.kind === 'passphrase'
      ? await stretched(secret.passphrase, derivation, salt)
      : secret.kind === 'keyFile'
        ? secret.key
        : Buffer.alloc(0);
  return Buffer.from(hkdfSync('sha256', input, salt, 'orch backup', KEY_BYTES));
}

function stretched(
  passphrase: Buffer,
  { cost, blockSize, parallel }: KeyDerivation & { readonly kind: 'passphrase' },
  salt: Buffer,
): Promise<Buffer> {
  const memory = 128 * cost * blockSize;
  const isPower = cost > 1 && Number.isInteger(Math.log2(cost));
  if (!isPower || blockSize < 1 || memory > MAX_SCRYPT_BYTES || parallel < 1 || parallel > MAX_PARALLEL)
    throw new BackupError(
      'unsupported',
      'the backup was encrypted with parameters beyond the limits of this version',
    );
  return new Promise((resolve, reject) => {
    const parameters = { N: cost, r: blockSize, p: parallel, maxmem: 2 * MAX_SCRYPT_BYTES };
    scrypt(passphrase, salt, KEY_BYTES, parameters, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

const checkOf = (key: Buffer): Buffer =>
  createHmac('sha256', key).update('orch backup key check').digest().subarray(0, CHECK_BYTES);
