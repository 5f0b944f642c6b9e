import type { KvEvent, ReadableKeyValue, Revision } from '../../../store.ts';
import { ProtoReader } from '../../proto/reader.ts';
import { ProtoWriter } from '../../proto/writer.ts';

/** The fields of a message by number: numbers, or bytes. */
type Fields = ReadonlyMap<number, readonly (number | Buffer)[]>;

function fieldsOf(message: Buffer): Fields {
  const reader = new ProtoReader(message);
  const fields = new Map<number, (number | Buffer)[]>();
  while (reader.more()) {
    const tag = reader.tag();
    const value = (tag & 7) === 0 ? reader.int() : reader.bytes();
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const messagesOf = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));
const textOf = (fields: Fields, number: number): string => String(fields.get(number)?.[0] ?? '');
const intOf = (fields: Fields, number: number): number => Number(fields.get(number)?.[0] ?? 0);

export interface RangeOp {
  readonly op: 'range';
  readonly key: string;
  readonly end: string;
  readonly limit: number;
  readonly revision: Revision;
  readonly isSerializable: boolean;
  readonly isCount: boolean;
}
export type WriteOp =
  | { readonly op: 'put'; readonly key: string; readonly value: Buffer }
  | { readonly op: 'delete'; readonly key: string; readonly end: string };
export type EtcdOp = RangeOp | WriteOp;

export interface EtcdTxn {
  readonly compares: readonly { readonly key: string; readonly revision: Revision }[];
  readonly success: readonly EtcdOp[];
  readonly failure: readonly EtcdOp[];
}

const rangeOf = (fields: Fields): RangeOp => ({
  op: 'range',
  key: textOf(fields, 1),
  end: textOf(fields, 2),
  limit: intOf(fields, 3),
  revision: intOf(fields, 4),
  isSerializable: intOf(fields, 7) === 1,
  isCount: intOf(fields, 9) === 1,
});

function opOf(fields: Fields): EtcdOp {
  const [range] = messagesOf(fields, 1);
  if (range !== undefined) return rangeOf(range);
  const [put] = messagesOf(fields, 2);
  if (put !== undefined) {
    const value = (put.get(2)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
    return { op: 'put', key: textOf(put, 1), value: Buffer.from(value) };
  }
  return deletionOf(messagesOf(fields, 3)[0] ?? new Map());
}

const deletionOf = (fields: Fields): WriteOp => ({
  op: 'delete',
  key: textOf(fields, 1),
  end: textOf(fields, 2),
});

export const readRangeRequest = (message: Buffer): RangeOp => rangeOf(fieldsOf(message));
export const readDeletion = (message: Buffer): WriteOp => deletionOf(fieldsOf(message));
/** The first field of a message, a number. */
export const readNumber = (message: Buffer): number => intOf(fieldsOf(message), 1);

export function readTxn(message: Buffer): EtcdTxn {
  const fields = fieldsOf(message);
  return {
    compares: messagesOf(fields, 1).map((one) => ({ key: textOf(one, 3), revision: intOf(one, 6) })),
    success: messagesOf(fields, 2).map(opOf),
    failure: messagesOf(fields, 3).map(opOf),
  };
}

/** The request for a watch; undefined when the message requests progress. */
export function readWatchCreate(
  message: Buffer,
): { readonly key: string; readonly end: string; readonly start: Revision } | undefined {
  const [create] = messagesOf(fieldsOf(message), 1);
  return create && { key: textOf(create, 1), end: textOf(create, 2), start: intOf(create, 3) };
}

/** Who answers, and the revision that it has applied. */
export interface Answerer {
  readonly member: number;
  readonly revision: Revision;
}

export interface RangeResult {
  readonly kvs: readonly ReadableKeyValue[];
  readonly count: number;
  readonly isMore: boolean;
}

function framed(write: (writer: ProtoWriter) => void): Buffer {
  const writer = new ProtoWriter();
  writer.reset();
  write(writer);
  return Buffer.from(writer.finishFramed());
}

function within(writer: ProtoWriter, field: number, write: () => void): void {
  const mark = writer.mark();
  write();
  writer.nested(field, mark);
}

const header = (writer: ProtoWriter, { member, revision }: Answerer): void =>
  within(writer, 1, () => {
    writer.uint(3, revision);
    writer.uint(2, member + 1);
  });

const keyValue = (writer: ProtoWriter, field: number, kv: ReadableKeyValue): void =>
  within(writer, field, () => {
    writer.bytes(5, kv.value);
    writer.uint(3, kv.modRevision);
    writer.uint(2, kv.createRevision);
    writer.string(1, kv.key);
  });

function rangeFields(writer: ProtoWriter, { kvs, count, isMore }: RangeResult): void {
  writer.uint(4, count);
  if (isMore) writer.bool(3, true);
  for (const kv of kvs.toReversed()) keyValue(writer, 2, kv);
}

/** An answer that has only a header, and perhaps the identifier and ttl of a lease. */
export const headerAnswer = (from: Answerer, lease?: { readonly id: number; readonly ttl: number }): Buffer =>
  framed((writer) => {
    if (lease !== undefined) {
      writer.uint(3, lease.ttl);
      writer.uint(2, lease.id);
    }
    header(writer, from);
  });

export const rangeAnswer = (from: Answerer, result: RangeResult): Buffer =>
  framed((writer) => {
    rangeFields(writer, result);
    header(writer, from);
  });

/** `results` has an element for each operation: what it has read, if it is a read. */
export const txnAnswer = (
  from: Answerer,
  succeeded: boolean,
  results: readonly (RangeResult | undefined)[],
): Buffer =>
  framed((writer) => {
    for (const result of results.toReversed())
      within(writer, 3, () =>
        within(writer, result === undefined ? 2 : 1, () => result && rangeFields(writer, result)),
      );
    if (succeeded) writer.bool(2, true);
    header(writer, from);
  });

export const statusAnswer = (from: Answerer, version: string): Buffer =>
  framed((writer) => {
    writer.string(2, version);
    header(writer, from);
  });

export interface WatchAnswer {
  readonly isCreated?: boolean;
  readonly isCanceled?: boolean;
  readonly compactRevision?: Revision;
  readonly reason?: string;
  readonly isFragment?: boolean;
  readonly events?: readonly KvEvent[];
}

export const watchAnswer = (from: Answerer, answer: WatchAnswer): Buffer =>
  framed((writer) => {
    for (const event of (answer.events ?? []).toReversed()) watchEvent(writer, event);
    if (answer.isFragment === true) writer.bool(7, true);
    if (answer.reason !== undefined) writer.string(6, answer.reason);
    if (answer.compactRevision !== undefined) writer.uint(5, answer.compactRevision);
    if (answer.isCanceled === true) writer.bool(4, true);
    if (answer.isCreated === true) writer.bool(3, true);
    header(writer, from);
  });

function watchEvent(writer: ProtoWriter, event: KvEvent): void {
  within(writer, 11, () => {
    if (event.type === 'put' && event.kv.value !== undefined) keyValue(writer, 2, event.kv);
    if (event.type === 'put') return;
    const { key, modRevision } = event;
    keyValue(writer, 2, { key, modRevision, createRevision: 0, value: Buffer.alloc(0) });
    writer.uint(1, 1);
  });
}
