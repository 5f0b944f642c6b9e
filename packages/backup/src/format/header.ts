import { createHash } from 'node:crypto';
import { isJsonObject, parseJson } from '@orch/machinery/json';
import type { Revision } from '@orch/storage';
import { BackupError } from '../backup-error.ts';
import type { ByteReader } from './byte-reader.ts';

/** The derivation of the key of an encrypted backup. */
export type KeyDerivation =
  | {
      readonly kind: 'passphrase';
      readonly cost: number;
      readonly blockSize: number;
      readonly parallel: number;
    }
  | { readonly kind: 'keyFile' };

/** Encryption with AES-256-GCM. Strings are in base64. */
export interface EncryptionHeader {
  readonly derivation: KeyDerivation;
  readonly salt: string;
  /** Proves that a key is the right one. */
  readonly keyCheck: string;
}

/** The beginning of a backup, not encrypted. */
export interface BackupHeader {
  /** Random; the same in copies of a backup, also when they are encrypted differently. */
  readonly id: string;
  /** RFC 3339. */
  readonly createdAt: string;
  /** The backup is the state of the store at this revision. */
  readonly revision: Revision;
  /** Prefix that all keys had in the store. */
  readonly prefix: string;
  /** Number of keys, for progress; earlier versions did not write it. */
  readonly keys?: number | undefined;
  readonly encryption: EncryptionHeader | undefined;
}

export interface ReadHeader {
  readonly header: BackupHeader;
  /** All frames are bound to it. */
  readonly digest: Buffer;
}

const MAGIC = Buffer.from('orchbak\n');
const FORMAT = 1;
const COMPRESSION = 'zstd';
const MAX_HEADER_BYTES = 64 * 1024;
const DIGEST_BYTES = 32;

export function encodeHeader(header: BackupHeader): { readonly bytes: Buffer; readonly digest: Buffer } {
  const json = Buffer.from(JSON.stringify({ format: FORMAT, compression: COMPRESSION, ...header }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const covered = Buffer.concat([MAGIC, length, json]);
  const digest = digestOf(covered);
  return { bytes: Buffer.concat([covered, digest]), digest };
}

export async function readHeader(reader: ByteReader): Promise<ReadHeader> {
  const head = await reader.upTo(MAGIC.length + 4);
  if (!head.subarray(0, MAGIC.length).equals(MAGIC.subarray(0, head.length)))
    throw new BackupError('notABackup', 'the file is not a backup');
  if (head.length < MAGIC.length + 4) throw new BackupError('truncated', 'the backup is incomplete');
  const length = head.readUInt32LE(MAGIC.length);
  if (length > MAX_HEADER_BYTES) throw damagedHeader();
  const json = await reader.exactly(length);
  const digest = digestOf(Buffer.concat([head, json]));
  if (!digest.equals(await reader.exactly(DIGEST_BYTES))) throw damagedHeader();
  return { header: decodeHeader(json), digest };
}

const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

const damagedHeader = (): BackupError =>
  new BackupError('damaged', 'the backup is damaged: its header was changed');

/** The digest is correct, so a header that does not fit was written by another version. */
function decodeHeader(json: Buffer): BackupHeader {
  const fields = parseJson(json);
  if (!isJsonObject(fields)) throw damagedHeader();
  const { format, compression, id, createdAt, revision, prefix, keys, encryption } = fields;
  if (format !== FORMAT || compression !== COMPRESSION)
    throw new BackupError('unsupported', 'the backup was made by a later version: its format is unknown');
  return {
    id: textOf(id),
    createdAt: textOf(createdAt),
    revision: numberOf(revision),
    prefix: textOf(prefix),
    ...(keys === undefined ? {} : { keys: numberOf(keys) }),
    encryption: encryption === undefined ? undefined : encryptionOf(encryption),
  };
}

function encryptionOf(value: unknown): EncryptionHeader {
  if (!isJsonObject(value) || !isJsonObject(value['derivation'])) throw damagedHeader();
  const { derivation, salt, keyCheck } = value;
  const { kind, cost, blockSize, parallel } = derivation;
  if (kind !== 'passphrase' && kind !== 'keyFile')
    throw new BackupError('unsupported', 'the backup was made by a later version: its encryption is unknown');
  const how: KeyDerivation =
    kind === 'keyFile'
      ? { kind }
      : { kind, cost: numberOf(cost), blockSize: numberOf(blockSize), parallel: numberOf(parallel) };
  return { derivation: how, salt: textOf(salt), keyCheck: textOf(keyCheck) };
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw damagedHeader();
  return value;
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw damagedHeader();
  return value;
}
