import { readRange, readRevision, type WireKeyValue } from './kv.ts';
import { ProtoReader } from './reader.ts';
import type { ProtoWriter } from './writer.ts';

/** A key that a transaction also writes, provided that it was last modified at `revision` (0: absent). */
export interface MarkPut {
  readonly key: string;
  readonly revision: number;
  readonly value: string;
}

/**
 * The transaction of a commit: if `key` was last modified at `expected` (0: absent), and `guards` and `mark` at their
 * revisions, then put `value` (or delete the key without a value), put the mark and write the keys of `also`; else read the key, the
 * mark, and the revisions of the guards.
 * `lease` is the identifier in etcd's encoding.
 */
export interface CasRequest {
  readonly key: string;
  readonly expected: number;
  readonly value?: Buffer;
  readonly lease?: Buffer | undefined;
  readonly guards?: readonly { readonly key: string; readonly revision: number }[] | undefined;
  readonly mark?: MarkPut | undefined;
  /** Further keys that are put, or deleted without a value, when all compares hold. */
  readonly also?: readonly { readonly key: string; readonly value?: Buffer }[] | undefined;
}

/**
 * The current state of both keys when a compare failed; `undefined` when they are absent, and when the commit
 * succeeded.
 */
export interface CasResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  readonly kv: WireKeyValue | undefined;
  readonly mark: WireKeyValue | undefined;
  /** All keys that were read and exist, except the first: the mark, and the guards without their values. */
  readonly others: readonly WireKeyValue[];
}

/**
 * The transaction that puts `mark` if it was not written since its revision, and reads `key` in any case. It makes a
 * commit with the same mark impossible, or shows that it took effect.
 */
export interface FenceRequest {
  readonly key: string;
  readonly mark: MarkPut;
}

/** `mark` is the value written before, when the fence was too late (`succeeded` is false). */
export type FenceResponse = CasResponse;

/** Fields are written from the last to the first: see {@link ProtoWriter}. */
export function encodeCas(writer: ProtoWriter, request: CasRequest): void {
  const { key, expected, guards = [], mark, also } = request;
  for (const guard of guards) readOp(writer, FAILURE, guard.key, true);
  if (mark !== undefined) readOp(writer, FAILURE, mark.key);
  readOp(writer, FAILURE, key);
  if (also !== undefined) for (let i = also.length - 1; i >= 0; i--) sideOp(writer, also[i]);
  if (mark !== undefined) putMark(writer, mark);
  writeOp(writer, request);
  if (mark !== undefined) compareRevision(writer, mark.key, mark.revision);
  for (const guard of guards) compareRevision(writer, guard.key, guard.revision);
  compareRevision(writer, key, expected);
}

export function encodeFence(writer: ProtoWriter, { key, mark }: FenceRequest): void {
  readOp(writer, FAILURE, mark.key);
  readOp(writer, FAILURE, key);
  putMark(writer, mark);
  readOp(writer, SUCCESS, key);
  compareRevision(writer, mark.key, mark.revision);
}

const SUCCESS = 2;
const FAILURE = 3;

/** A read of one key in a branch of the transaction. */
function readOp(
  writer: ProtoWriter,
  branch: typeof SUCCESS | typeof FAILURE,
  key: string,
  keysOnly = false,
): void {
  const op = writer.mark();
  if (keysOnly) writer.bool(8, true);
  writer.string(1, key);
  writer.nested(1, op);
  writer.nested(branch, op);
}

const sideOp = (writer: ProtoWriter, side: Pick<CasRequest, 'key' | 'value'> | undefined): void => {
  if (side !== undefined) writeOp(writer, side);
};

function writeOp(
  writer: ProtoWriter,
  { key, value, lease }: Pick<CasRequest, 'key' | 'value' | 'lease'>,
): void {
  const op = writer.mark();
  if (value === undefined) {
    writer.string(1, key);
    writer.nested(3, op);
  } else {
    if (lease !== undefined) {
      writer.raw(lease);
      writer.varint(3 << 3);
    }
    writer.bytes(2, value);
    writer.string(1, key);
    writer.nested(2, op);
  }
  writer.nested(SUCCESS, op);
}

function putMark(writer: ProtoWriter, { key, value }: MarkPut): void {
  const op = writer.mark();
  writer.string(2, value);
  writer.string(1, key);
  writer.nested(2, op);
  writer.nested(SUCCESS, op);
}

function compareRevision(writer: ProtoWriter, key: string, revision: number): void {
  const compare = writer.mark();
  writer.uint(6, revision);
  writer.string(3, key);
  writer.uint(2, COMPARE_MOD_REVISION);
  writer.nested(1, compare);
}

const COMPARE_MOD_REVISION = 2;

/** Reads the answer to either transaction: in every branch the key comes first and the mark, if any, second, then the rest. */
export function decodeCas(bytes: Buffer): CasResponse {
  const reader = new ProtoReader(bytes);
  let revision = 0;
  let succeeded = false;
  let kv: WireKeyValue | undefined;
  let mark: WireKeyValue | undefined;
  let others: readonly WireKeyValue[] = [];
  let ops = 0;
  while (reader.more()) {
    switch (reader.tag()) {
      case 0x0a:
        revision = readRevision(reader);
        break;
      case 0x10:
        succeeded = reader.bool();
        break;
      case 0x1a:
        if (ops++ === 0) kv = readResponseOp(reader);
        else {
          const other = readResponseOp(reader);
          if (ops === 2) mark = other;
          if (other !== undefined) others = [...others, other];
        }
        break;
      default:
        reader.skip();
    }
  }
  return { revision, succeeded, kv, mark, others };
}

/** The key that a nested `ResponseOp` has read; undefined for a write. */
function readResponseOp(reader: ProtoReader): WireKeyValue | undefined {
  const outer = reader.enter();
  let kv: WireKeyValue | undefined;
  while (reader.more()) {
    if (reader.tag() === 0x0a) {
      const end = reader.enter();
      kv = readRange(reader).kvs[0];
      reader.leave(end);
    } else reader.skip();
  }
  reader.leave(outer);
  return kv;
}
