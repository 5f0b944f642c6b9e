import { createCipheriv, createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import { BackupError } from '../backup-error.ts';

/** Position of a frame in its backup. */
export interface FramePosition {
  /** SHA-256 of the header. */
  readonly digest: Buffer;
  readonly index: number;
  readonly type: number;
}

/**
 * Makes a change of a frame, or of its position, detectable: with a key by encryption with AES-256-GCM, without one by a
 * checksum, which does not protect against intent.
 */
export interface Seal {
  seal(payload: Buffer, position: FramePosition): { readonly bytes: Buffer; readonly tag: Buffer };
  /** Throws `damaged`. */
  open(bytes: Buffer, tag: Buffer, position: FramePosition): Buffer;
}

export const TAG_BYTES = 16;
const NONCE_BYTES = 12;

export const sealOf = (key: Buffer | undefined): Seal => (key === undefined ? checksummed : encrypted(key));

const checksummed: Seal = {
  seal: (payload, position) => ({ bytes: payload, tag: checksumOf(payload, position) }),
  open(bytes, tag, position) {
    if (!timingSafeEqual(tag, checksumOf(bytes, position))) throw damagedFrame(position);
    return bytes;
  },
};

const checksumOf = (payload: Buffer, position: FramePosition): Buffer =>
  createHash('sha256').update(boundTo(position)).update(payload).digest().subarray(0, TAG_BYTES);

/** The key is used for one backup only, so that the number of a frame is a nonce. */
const encrypted = (key: Buffer): Seal => ({
  seal(payload, position) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(position)).setAAD(boundTo(position));
    const bytes = Buffer.concat([cipher.update(payload), cipher.final()]);
    return { bytes, tag: cipher.getAuthTag() };
  },
  open(bytes, tag, position) {
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(position), { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(position)).setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(bytes), decipher.final()]);
    } catch (cause) {
      throw damagedFrame(position, cause);
    }
  },
});

function nonceOf({ index }: FramePosition): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64LE(BigInt(index), NONCE_BYTES - 8);
  return nonce;
}

function boundTo({ digest, index, type }: FramePosition): Buffer {
  const bound = Buffer.alloc(digest.length + 9);
  digest.copy(bound);
  bound.writeBigUInt64LE(BigInt(index), digest.length);
  bound.writeUInt8(type, digest.length + 8);
  return bound;
}

const damagedFrame = ({ index }: FramePosition, cause?: unknown): BackupError =>
  new BackupError('damaged', `the backup is damaged: frame ${index} was changed`, { cause });
