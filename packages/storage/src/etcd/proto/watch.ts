import { readHeader, readKeyValue, type WireKeyValue } from './kv.ts';
import { ProtoReader } from './reader.ts';
import type { ProtoWriter } from './writer.ts';

/** `WatchCreateRequest`; large answers always come in fragments. */
export interface WatchCreate {
  readonly key: string | Buffer;
  readonly rangeEnd: string | Buffer;
  /** The first revision of interest. */
  readonly startRevision: number;
}

export interface WireEvent {
  readonly type: 'put' | 'delete';
  readonly kv: WireKeyValue;
}

/** `WatchResponse`. */
export interface WatchResponse {
  /** Identifier of the member that answered; compared only. */
  readonly memberId: string;
  /** The store's revision when the answer was created: with events, more events up to it may follow. */
  readonly revision: number;
  /** -1 when the answer is to a progress request. */
  readonly watchId: number;
  readonly created: boolean;
  readonly canceled: boolean;
  /** Above 0 when the watch was refused because its start was compacted. */
  readonly compactRevision: number;
  readonly cancelReason: string;
  /** More events of the same answer follow in another one. */
  readonly fragment: boolean;
  readonly events: readonly WireEvent[];
}

export function encodeWatchCreate(writer: ProtoWriter, request: WatchCreate): void {
  const create = writer.mark();
  writer.bool(8, true);
  writer.bool(4, true);
  writer.uint(3, request.startRevision);
  key(writer, 2, request.rangeEnd);
  key(writer, 1, request.key);
  writer.nested(1, create);
}

/** `WatchProgressRequest`: requests the progress of the stream. */
export function encodeWatchProgress(writer: ProtoWriter): void {
  writer.nested(3, writer.mark());
}

function key(writer: ProtoWriter, field: number, value: string | Buffer): void {
  if (typeof value === 'string') writer.string(field, value);
  else writer.bytes(field, value);
}

export function decodeWatch(bytes: Buffer): WatchResponse {
  const reader = new ProtoReader(bytes);
  const response = {
    memberId: '',
    revision: 0,
    watchId: 0,
    created: false,
    canceled: false,
    compactRevision: 0,
    cancelReason: '',
    fragment: false,
    events: [] as WireEvent[],
  };
  while (reader.more()) {
    switch (reader.tag()) {
      case 0x0a:
        ({ revision: response.revision, memberId: response.memberId } = readHeader(reader));
        break;
      case 0x10:
        response.watchId = reader.int();
        break;
      case 0x18:
        response.created = reader.bool();
        break;
      case 0x20:
        response.canceled = reader.bool();
        break;
      case 0x28:
        response.compactRevision = reader.int();
        break;
      case 0x32:
        response.cancelReason = reader.string();
        break;
      case 0x38:
        response.fragment = reader.bool();
        break;
      case 0x5a:
        response.events.push(readEvent(reader));
        break;
      default:
        reader.skip();
    }
  }
  return response;
}

function readEvent(reader: ProtoReader): WireEvent {
  const outer = reader.enter();
  let type: 'put' | 'delete' = 'put';
  let kv: WireKeyValue = { key: '', createRevision: 0, modRevision: 0, value: Buffer.alloc(0) };
  while (reader.more()) {
    const tag = reader.tag();
    if (tag === 0x08) type = reader.int() === 1 ? 'delete' : 'put';
    else if (tag === 0x12) kv = readKeyValue(reader);
    else reader.skip();
  }
  reader.leave(outer);
  return { type, kv };
}
