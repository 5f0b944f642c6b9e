import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { asText, isJsonObject, type JsonObject, parseJson } from '@orch/machinery/json';

const CURVE = 'x25519';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const TAG_BYTES = 16;
/** Every key encrypts one answer, so that the nonce may be the same. */
const NONCE = Buffer.alloc(12);
const PURPOSE = 'an answer about requests';

/**
 * The key for the responses to one request. Responses pass through the store, which keeps expired values until it is
 * compacted, and which may be copied: only the requesting replica can read them.
 */
export class AnswerKey {
  readonly #pair = generateKeyPairSync(CURVE);

  /** Part of the question. */
  get publicKey(): string {
    return textOf(this.#pair.publicKey);
  }

  /** Undefined for an answer that was not sealed with the public key. */
  open(answer: JsonObject): JsonObject | undefined {
    try {
      const sealed = Buffer.from(asText(answer['sealed']), 'base64');
      const key = sharedKey(this.#pair.privateKey, keyOf(asText(answer['key'])));
      const decipher = createDecipheriv(CIPHER, key, NONCE).setAuthTag(sealed.subarray(0, TAG_BYTES));
      const content = parseJson(
        Buffer.concat([decipher.update(sealed.subarray(TAG_BYTES)), decipher.final()]),
      );
      return isJsonObject(content) ? content : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Encrypts an answer for the replica whose public key the question has. Throws for anything else. */
export function sealedAnswer(publicKey: string, content: object): JsonObject {
  const own = generateKeyPairSync(CURVE);
  const key = sharedKey(own.privateKey, keyOf(publicKey));
  const cipher = createCipheriv(CIPHER, key, NONCE);
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
  const sealed = Buffer.concat([cipher.getAuthTag(), encrypted]).toString('base64');
  return { key: textOf(own.publicKey), sealed };
}

const sharedKey = (privateKey: KeyObject, publicKey: KeyObject): Buffer =>
  Buffer.from(hkdfSync('sha256', diffieHellman({ privateKey, publicKey }), '', PURPOSE, KEY_BYTES));

const textOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'der' }).toString('base64');

const keyOf = (text: string): KeyObject =>
  createPublicKey({ key: Buffer.from(text, 'base64'), type: 'spki', format: 'der' });
