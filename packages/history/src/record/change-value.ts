import * as zlib from 'node:zlib';
import { isJsonObject, parseJson } from '@orch/machinery/json';

// Node 20, where test control planes run, has none of them.
const { zstdCompressSync, zstdDecompressSync }: Partial<typeof zlib> = zlib;

/** The author of a change of an object, and the operation. */
export interface ChangeFacts {
  /** Verb of the request; empty for a write that the server made itself. */
  readonly verb: string;
  readonly subresource: string;
  readonly user: string;
  /** The user who acted as `user`; empty without impersonation. */
  readonly impersonator: string;
  /** The field manager of the write. */
  readonly manager: string;
  /** Uid of the created object; empty for other changes. */
  readonly uid: string;
}

/** The value of a recorded change. */
export interface ChangeValue extends ChangeFacts {
  /** The replaced state; undefined when there is none, and when it was left out. */
  readonly old: Buffer | undefined;
  /** The reason why the replaced state was omitted: it could not be read, or did not fit into the transaction. */
  readonly leftOut: '' | LeftOut;
}

export type LeftOut = 'unreadable' | 'tooLarge';

const FORMAT = 1;
const NEWLINE = 0x0a;
/** States of at least this size are compressed: compressing smaller ones costs more time than the write. */
const COMPRESSED_BYTES = 64 * 1024;
/** Larger than every stored object. */
const MAX_STATE_BYTES = 16 * 1024 * 1024;

/**
 * Encodes a change: a line of JSON, and the replaced state. A state that does not fit into `room` is omitted, so that
 * recording never fails a write.
 */
export function encodeChange(
  facts: ChangeFacts,
  state: { readonly json: Buffer } | LeftOut | undefined,
  room: number,
): Buffer {
  if (state === undefined || typeof state === 'string')
    return Buffer.from(`${headOf(facts, state ?? '', '')}\n`);
  const compress = state.json.length > COMPRESSED_BYTES ? zstdCompressSync : undefined;
  const content = compress?.(state.json) ?? state.json;
  if (content.length > room) return Buffer.from(`${headOf(facts, 'tooLarge', '')}\n`);
  const head = headOf(facts, '', compress === undefined ? 'json' : 'zstd');
  const value = Buffer.allocUnsafe(Buffer.byteLength(head) + 1 + content.length);
  const end = value.write(head);
  value[end] = NEWLINE;
  content.copy(value, end + 1);
  return value;
}

const headOf = (
  { verb, subresource, user, impersonator, manager, uid }: ChangeFacts,
  leftOut: string,
  content: '' | 'json' | 'zstd',
): string =>
  JSON.stringify({
    format: FORMAT,
    verb,
    subresource: subresource || undefined,
    user,
    impersonator: impersonator || undefined,
    manager,
    uid: uid || undefined,
    leftOut: leftOut || undefined,
    content: content || undefined,
  });

/** Undefined for a value of another program or of a later format. */
export function decodeChange(value: Buffer): ChangeValue | undefined {
  const end = value.indexOf(NEWLINE);
  const head = end < 0 ? undefined : parsed(value.subarray(0, end));
  if (head?.['format'] !== FORMAT) return undefined;
  const text = (name: string): string => {
    const found = head[name];
    return typeof found === 'string' ? found : '';
  };
  const content = value.subarray(end + 1);
  const old = text('content') === '' ? undefined : stateOf(content, text('content') === 'zstd');
  if (old === damaged) return undefined;
  const leftOut = text('leftOut');
  return {
    verb: text('verb'),
    subresource: text('subresource'),
    user: text('user'),
    impersonator: text('impersonator'),
    manager: text('manager'),
    uid: text('uid'),
    old,
    leftOut: leftOut === 'unreadable' || leftOut === 'tooLarge' ? leftOut : '',
  };
}

const damaged = Symbol('damaged');

function stateOf(content: Buffer, isCompressed: boolean): Buffer | typeof damaged {
  if (!isCompressed) return content;
  if (zstdDecompressSync === undefined) return damaged;
  try {
    return zstdDecompressSync(content, { maxOutputLength: MAX_STATE_BYTES });
  } catch {
    return damaged;
  }
}

function parsed(line: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const json = parseJson(line);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
