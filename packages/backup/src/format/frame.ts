import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { BackupError } from '../backup-error.ts';
import type { ByteReader } from './byte-reader.ts';
import { type Seal, TAG_BYTES } from './seal.ts';

export const ENTRIES = 1;
export const TRAILER = 2;

/** The content of a frame, not compressed. */
export interface Frame {
  readonly type: number;
  readonly payload: Buffer;
}

// Node 20, where test control planes run, has none of them.
const { zstdCompress, zstdDecompress }: Partial<typeof zlib> = zlib;
const compress = zstdCompress && promisify(zstdCompress);
const decompress = zstdDecompress && promisify(zstdDecompress);

/** The reason why this runtime neither writes nor reads backups; undefined when it does both. */
export const compressionProblem = (): string | undefined =>
  compress === undefined ? 'backups need Node 22.19 or newer, which compresses with zstd' : undefined;

/** Throws a `BackupError` where the runtime lacks a function. */
function present<T>(compression: T | undefined): T {
  if (compression === undefined) throw new BackupError('unsupported', compressionProblem() ?? '');
  return compression;
}

const HEAD_BYTES = 5;
/** A frame holds about a megabyte, or one value. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

/** Encodes the frames of one backup, in order: a type, a length, the compressed and sealed payload, and a tag. */
export class FrameEncoder {
  readonly #seal: Seal;
  readonly #digest: Buffer;
  readonly #compress = present(compress);
  #index = 0;

  constructor(seal: Seal, digest: Buffer) {
    this.#seal = seal;
    this.#digest = digest;
  }

  async encode({ type, payload }: Frame): Promise<Buffer> {
    const position = { digest: this.#digest, index: this.#index++, type };
    const { bytes, tag } = this.#seal.seal(await this.#compress(payload), position);
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt8(type, 0);
    head.writeUInt32LE(bytes.length, 1);
    return Buffer.concat([head, bytes, tag]);
  }
}

/** Reads the frames of one backup, in order. */
export class FrameDecoder {
  readonly #reader: ByteReader;
  readonly #seal: Seal;
  readonly #digest: Buffer;
  readonly #decompress = present(decompress);
  #index = 0;

  constructor(reader: ByteReader, seal: Seal, digest: Buffer) {
    this.#reader = reader;
    this.#seal = seal;
    this.#digest = digest;
  }

  async next(): Promise<Frame> {
    const head = await this.#reader.exactly(HEAD_BYTES);
    const type = head.readUInt8(0);
    const length = head.readUInt32LE(1);
    const index = this.#index++;
    if ((type !== ENTRIES && type !== TRAILER) || length > MAX_FRAME_BYTES) throw damaged(index);
    const bytes = await this.#reader.exactly(length);
    const tag = await this.#reader.exactly(TAG_BYTES);
    const sealed = this.#seal.open(bytes, tag, { digest: this.#digest, index, type });
    try {
      return { type, payload: await this.#decompress(sealed, { maxOutputLength: MAX_FRAME_BYTES }) };
    } catch (cause) {
      throw damaged(index, cause);
    }
  }
}

const damaged = (index: number, cause?: unknown): BackupError =>
  new BackupError('damaged', `the backup is damaged: frame ${index} was changed`, { cause });
