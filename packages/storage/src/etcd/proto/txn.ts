import { readKeyValue, readRange, readRevision, type WireKeyValue } from './kv.ts';
import { ProtoReader } from './reader.ts';
import type { ProtoWriter } from './writer.ts';

/**
 * The one transaction that the store uses: when `key` was last modified at `expected` (0: when it is absent), and that
 * of the `guard` at its revision, then put `value` or, without a value, delete the key; otherwise read it. `lease` is the
 * identifier as etcd sent it.
 */
export interface CasRequest {
  readonly key: string;
  readonly expected: number;
  readonly value?: Buffer;
  readonly lease?: Buffer;
  readonly guard?: { readonly key: string; readonly revision: number } | undefined;
  /** Answer with what the key held before. */
  readonly prev?: boolean;
}

export interface CasResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  /** The key's state when the compare failed; with `prev`, its previous state when it succeeded. */
  readonly kv: WireKeyValue | undefined;
}

/** Fields are written from the last to the first: see {@link ProtoWriter}. */
export function encodeCas(writer: ProtoWriter, request: CasRequest): void {
  const { key, expected, value, lease, guard } = request;
  const failure = writer.mark();
  writer.string(1, key);
  writer.nested(1, failure);
  writer.nested(3, failure);

  const success = writer.mark();
  if (value === undefined) {
    if (request.prev === true) writer.bool(3, true);
    writer.string(1, key);
    writer.nested(3, success);
  } else {
    if (request.prev === true) writer.bool(4, true);
    if (lease !== undefined) {
      writer.raw(lease);
      writer.varint(3 << 3);
    }
    writer.bytes(2, value);
    writer.string(1, key);
    writer.nested(2, success);
  }
  writer.nested(2, success);

  if (guard !== undefined) compareRevision(writer, guard.key, guard.revision);
  compareRevision(writer, key, expected);
}

function compareRevision(writer: ProtoWriter, key: string, revision: number): void {
  const compare = writer.mark();
  writer.uint(6, revision);
  writer.string(3, key);
  writer.uint(2, COMPARE_MOD_REVISION);
  writer.nested(1, compare);
}

const COMPARE_MOD_REVISION = 2;

export function decodeCas(bytes: Buffer): CasResponse {
  const reader = new ProtoReader(bytes);
  let revision = 0;
  let succeeded = false;
  let kv: WireKeyValue | undefined;
  while (reader.more()) {
    switch (reader.tag()) {
      case 0x0a:
        revision = readRevision(reader);
        break;
      case 0x10:
        succeeded = reader.bool();
        break;
      case 0x1a:
        kv = readResponseOp(reader) ?? kv;
        break;
      default:
        reader.skip();
    }
  }
  return { revision, succeeded, kv };
}

/** The key-value that a nested `ResponseOp` carries: the first of a range, or the previous one of a put or delete. */
function readResponseOp(reader: ProtoReader): WireKeyValue | undefined {
  const outer = reader.enter();
  let kv: WireKeyValue | undefined;
  while (reader.more()) {
    const tag = reader.tag();
    if (tag === 0x0a) {
      const end = reader.enter();
      kv = readRange(reader).kvs[0];
      reader.leave(end);
    } else if (tag === 0x12) kv = readPrevious(reader, 0x12);
    else if (tag === 0x1a) kv = readPrevious(reader, 0x1a);
    else reader.skip();
  }
  reader.leave(outer);
  return kv;
}

function readPrevious(reader: ProtoReader, field: number): WireKeyValue | undefined {
  const outer = reader.enter();
  let kv: WireKeyValue | undefined;
  while (reader.more()) {
    if (reader.tag() === field) kv = readKeyValue(reader);
    else reader.skip();
  }
  reader.leave(outer);
  return kv;
}
