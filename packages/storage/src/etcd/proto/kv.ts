import { ProtoReader } from './reader.ts';
import type { ProtoWriter } from './writer.ts';

/** `mvccpb.KeyValue`, with views of the message it was read from. */
export interface WireKeyValue {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly value: Buffer;
  /** Identifier of the lease in etcd's encoding; absent for a key without one. */
  readonly lease?: Buffer;
}

/** `RangeRequest`. `revision` 0 or absent means the newest; `limit` 0 or absent means none. */
export interface RangeRequest {
  readonly key: string;
  readonly rangeEnd?: string;
  readonly limit?: number;
  readonly revision?: number;
  /** Answered by the requested member from its local state: not linearizable. */
  readonly serializable?: boolean;
  readonly countOnly?: boolean;
  /** Answered without values. */
  readonly keysOnly?: boolean;
}

export interface RangeResponse {
  readonly revision: number;
  readonly kvs: readonly WireKeyValue[];
  readonly more: boolean;
  readonly count: number;
}

const EMPTY = Buffer.alloc(0);

export function encodeRange(writer: ProtoWriter, request: RangeRequest): void {
  if (request.countOnly === true) writer.bool(9, true);
  if (request.keysOnly === true) writer.bool(8, true);
  if (request.serializable === true) writer.bool(7, true);
  if (request.revision !== undefined && request.revision > 0) writer.uint(4, request.revision);
  if (request.limit !== undefined && request.limit > 0) writer.uint(3, request.limit);
  if (request.rangeEnd !== undefined) writer.string(2, request.rangeEnd);
  writer.string(1, request.key);
}

export function decodeRange(bytes: Buffer): RangeResponse {
  return readRange(new ProtoReader(bytes));
}

/** Reads the fields of a `RangeResponse` from the message that the reader is in. */
export function readRange(reader: ProtoReader): RangeResponse {
  let revision = 0;
  let more = false;
  let count = 0;
  const kvs: WireKeyValue[] = [];
  while (reader.more()) {
    switch (reader.tag()) {
      case 0x0a:
        revision = readRevision(reader);
        break;
      case 0x12:
        kvs.push(readKeyValue(reader));
        break;
      case 0x18:
        more = reader.bool();
        break;
      case 0x20:
        count = reader.int();
        break;
      default:
        reader.skip();
    }
  }
  return { revision, kvs, more, count };
}

/** The keys of a `RangeStreamResponse`, which wraps a part of a `RangeResponse`. */
export function decodeRangeStream(bytes: Buffer): readonly WireKeyValue[] {
  const reader = new ProtoReader(bytes);
  const kvs: WireKeyValue[] = [];
  while (reader.more()) {
    if (reader.tag() !== 0x0a) {
      reader.skip();
      continue;
    }
    const outer = reader.enter();
    for (const kv of readRange(reader).kvs) kvs.push(kv);
    reader.leave(outer);
  }
  return kvs;
}

export interface ResponseHeader {
  readonly revision: number;
  readonly memberId: string;
}

/** Reads a nested `ResponseHeader`. */
export function readHeader(reader: ProtoReader): ResponseHeader {
  const outer = reader.enter();
  let revision = 0;
  let memberId = '';
  while (reader.more()) {
    const tag = reader.tag();
    if (tag === 0x18) revision = reader.int();
    else if (tag === 0x10) memberId = reader.opaqueVarint().toString('hex');
    else reader.skip();
  }
  reader.leave(outer);
  return { revision, memberId };
}

/** Reads a nested `ResponseHeader` for its revision only. */
export function readRevision(reader: ProtoReader): number {
  const outer = reader.enter();
  let revision = 0;
  while (reader.more()) {
    if (reader.tag() === 0x18) revision = reader.int();
    else reader.skip();
  }
  reader.leave(outer);
  return revision;
}

/** Reads a nested `KeyValue`. */
export function readKeyValue(reader: ProtoReader): WireKeyValue {
  const outer = reader.enter();
  let key = '';
  let createRevision = 0;
  let modRevision = 0;
  let value: Buffer = EMPTY;
  let lease: Buffer | undefined;
  while (reader.more()) {
    switch (reader.tag()) {
      case 0x0a:
        key = reader.string();
        break;
      case 0x10:
        createRevision = reader.int();
        break;
      case 0x18:
        modRevision = reader.int();
        break;
      case 0x2a:
        value = reader.bytes();
        break;
      case 0x30:
        lease = reader.opaqueVarint();
        break;
      default:
        reader.skip();
    }
  }
  reader.leave(outer);
  return lease === undefined
    ? { key, createRevision, modRevision, value }
    : { key, createRevision, modRevision, value, lease };
}

/** `CompactionRequest`: compacts history before `revision`. */
export function encodeCompaction(writer: ProtoWriter, request: { readonly revision: number }): void {
  writer.uint(1, request.revision);
}

/** `DeleteRangeRequest`: all keys from `key` up to `rangeEnd`. */
export function encodeDeleteRange(
  writer: ProtoWriter,
  request: { readonly key: string; readonly rangeEnd: string },
): void {
  writer.string(2, request.rangeEnd);
  writer.string(1, request.key);
}

/** Any answer of which only the header is used: the store's revision. */
export function decodeHeaderOnly(bytes: Buffer): number {
  const reader = new ProtoReader(bytes);
  let revision = 0;
  while (reader.more()) {
    if (reader.tag() === 0x0a) revision = readRevision(reader);
    else reader.skip();
  }
  return revision;
}
