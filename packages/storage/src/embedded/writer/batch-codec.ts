import { makesRoom, type SideWrite, sideWritesOf } from '../../extensions/write-extensions.ts';
import { type Committed, type Guard, MAX_GUARDS, type Revision, type Write } from '../../store.ts';

/** A write and when its key expires, in epoch milliseconds. */
export interface TimedWrite {
  readonly write: Write;
  readonly expires: number | undefined;
}

export const CREATE = 0;
const UPDATE = 1;
export const DELETE = 2;

/** Flag of a write that makes room, added to its operation. */
const MAKES_ROOM = 4;

/** One write as the writer thread reads it. `value` is a view into the batch; `expires` 0 is never. */
export interface DecodedWrite {
  readonly op: number;
  /** May be written when the store is full. */
  readonly makesRoom: boolean;
  readonly key: string;
  readonly value: Uint8Array;
  readonly expected: Revision;
  readonly expires: number;
  readonly guards: readonly Guard[];
  readonly also: readonly SideWrite[];
}

/** Fields of the operation, then two of each guard: the length of its key in bytes and its revision; the number of `also`. */
const GUARD_FIELDS = 5;
const ALSO_FIELD = GUARD_FIELDS + 2 * MAX_GUARDS;
const META_FIELDS = ALSO_FIELD + 1;

/** Before each further key: the length of the key and of the value in bytes. */
const SIDE_HEAD_BYTES = 8;
/** In place of the length of a value: the key is deleted. */
const NO_VALUE = 0xffff_ffff;

const noSides: readonly SideWrite[] = [];

/** Maximum size of the further keys of a write. */
export function sideBytes(write: Write): number {
  let size = 0;
  for (const { key, value } of sideWritesOf(write) ?? noSides)
    size += SIDE_HEAD_BYTES + 3 * key.length + (value?.length ?? 0);
  return size;
}

/** Length of the keys of its guards, in characters. */
export const guardKeyLength = ({ guards = [] }: { readonly guards?: readonly Guard[] }): number =>
  guards.reduce((length, { key }) => length + key.length, 0);

/**
 * Encodes writes into two buffers that are transferred to the thread without a copy. Passing objects would clone every
 * value separately, with the whole memory that a Buffer may be a slice of.
 */
export function encodeBatch(writes: readonly TimedWrite[]): {
  readonly meta: Float64Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
} {
  const meta = new Float64Array(writes.length * META_FIELDS);
  let size = 0;
  for (const { write } of writes) {
    size += 3 * (write.key.length + guardKeyLength(write));
    if (write.op !== 'delete') size += write.value.length;
    size += sideBytes(write);
  }
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = 0;
  let field = 0;
  for (const { write, expires } of writes) {
    const keyBytes = bytes.write(write.key, at);
    at += keyBytes;
    meta[field] = opcode(write) + (makesRoom(write) ? MAKES_ROOM : 0);
    meta[field + 1] = write.op === 'create' ? 0 : write.expected;
    meta[field + 2] = expires ?? 0;
    meta[field + 3] = keyBytes;
    if (write.op !== 'delete') {
      bytes.set(write.value, at);
      at += write.value.length;
      meta[field + 4] = write.value.length;
    }
    for (const [i, guard] of (write.guards ?? []).entries()) {
      const guardBytes = bytes.write(guard.key, at);
      at += guardBytes;
      meta[field + GUARD_FIELDS + 2 * i] = guardBytes;
      meta[field + GUARD_FIELDS + 2 * i + 1] = guard.revision;
    }
    const also = sideWritesOf(write);
    if (also !== undefined) {
      meta[field + ALSO_FIELD] = also.length;
      for (const side of also) at = encodeSide(bytes, at, side);
    }
    field += META_FIELDS;
  }
  return { meta, bytes };
}

/** Returns the end of what was written. */
function encodeSide(bytes: Buffer, at: number, { key, value }: SideWrite): number {
  const keyStart = at + SIDE_HEAD_BYTES;
  const valueStart = keyStart + bytes.write(key, keyStart);
  bytes.writeUInt32LE(valueStart - keyStart, at);
  bytes.writeUInt32LE(value?.length ?? NO_VALUE, at + 4);
  if (value === undefined) return valueStart;
  bytes.set(value, valueStart);
  return valueStart + value.length;
}

function opcode(write: Write): number {
  if (write.op === 'create') return CREATE;
  return write.op === 'update' ? UPDATE : DELETE;
}

export function decodeBatch(meta: Float64Array, bytes: Uint8Array): DecodedWrite[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const writes: DecodedWrite[] = [];
  let at = 0;
  for (let field = 0; field < meta.length; field += META_FIELDS) {
    const keyEnd = at + (meta[field + 3] ?? 0);
    const valueEnd = keyEnd + (meta[field + 4] ?? 0);
    const { end, guards } = decodeGuards(meta.subarray(field + GUARD_FIELDS), buffer, valueEnd);
    const sides = decodeSides(buffer, end, meta[field + ALSO_FIELD] ?? 0);
    const op = (meta[field] ?? 0) % MAKES_ROOM;
    writes.push({
      op,
      makesRoom: (meta[field] ?? 0) >= MAKES_ROOM,
      key: buffer.toString('utf8', at, keyEnd),
      value: buffer.subarray(keyEnd, valueEnd),
      expected: meta[field + 1] ?? 0,
      expires: meta[field + 2] ?? 0,
      guards,
      also: sides.also,
    });
    at = sides.end;
  }
  return writes;
}

const noGuards: readonly Guard[] = [];

/** The guards of one write, whose keys begin at `start`. */
function decodeGuards(
  fields: Float64Array,
  buffer: Buffer,
  start: number,
): { readonly end: number; readonly guards: readonly Guard[] } {
  if ((fields[0] ?? 0) === 0) return { end: start, guards: noGuards };
  const guards: Guard[] = [];
  let end = start;
  for (let i = 0; i < 2 * MAX_GUARDS; i += 2) {
    const length = fields[i] ?? 0;
    if (length === 0) break;
    guards.push({ key: buffer.toString('utf8', end, end + length), revision: fields[i + 1] ?? 0 });
    end += length;
  }
  return { end, guards };
}

function decodeSides(
  buffer: Buffer,
  start: number,
  count: number,
): { readonly end: number; readonly also: readonly SideWrite[] } {
  if (count === 0) return { end: start, also: noSides };
  const also: SideWrite[] = [];
  let end = start;
  for (let i = 0; i < count; i++) {
    const keyStart = end + SIDE_HEAD_BYTES;
    const keyEnd = keyStart + buffer.readUInt32LE(end);
    const length = buffer.readUInt32LE(end + 4);
    const key = buffer.toString('utf8', keyStart, keyEnd);
    end = length === NO_VALUE ? keyEnd : keyEnd + length;
    also.push(length === NO_VALUE ? { key } : { key, value: buffer.subarray(keyEnd, end) });
  }
  return { end, also };
}

const RESULT_FIELDS = 4;

const LOST = 0;
const WON = 1;
const GUARD_FAILED = 2;
const REFUSED = 3;
/** Won without the further keys that have values, because the store is full. */
const WON_ALONE = 4;

const isWon = (outcome: number | undefined): boolean => outcome === WON || outcome === WON_ALONE;

/** Outcomes of a batch, one slot per write, in one transferable array. */
export class Results {
  readonly values: Float64Array<ArrayBuffer>;

  constructor(values: Float64Array<ArrayBuffer>) {
    this.values = values;
  }

  static of(writes: number): Results {
    return new Results(new Float64Array(writes * RESULT_FIELDS));
  }

  won(index: number, rev: Revision, createRevision: Revision, isAlone = false): void {
    this.#set(index, isAlone ? WON_ALONE : WON, rev);
    this.#setVersion(index, createRevision, rev);
  }

  guardFailed(index: number, rev: Revision): void {
    this.#set(index, GUARD_FAILED, rev);
    this.#setVersion(index, 0, 0);
  }

  /** Nothing was written because the store is full. */
  refused(index: number): void {
    this.#set(index, REFUSED, 0);
    this.#setVersion(index, 0, 0);
  }

  wasRefused(index: number): boolean {
    return this.values[index * RESULT_FIELDS] === REFUSED;
  }

  /** `modRevision` 0: the key is absent. */
  lost(index: number, rev: Revision, current: { createRevision: Revision; modRevision: Revision }): void {
    this.#set(index, LOST, rev);
    this.#setVersion(index, current.createRevision, current.modRevision);
  }

  /** Revision when write `index` won, else 0. */
  wonAt(index: number): Revision {
    const at = index * RESULT_FIELDS;
    return isWon(this.values[at]) ? (this.values[at + 1] ?? 0) : 0;
  }

  /** The store was full: further keys with values were not written. */
  wonAlone(index: number): boolean {
    return this.values[index * RESULT_FIELDS] === WON_ALONE;
  }

  createRevision(index: number): Revision {
    return this.values[index * RESULT_FIELDS + 2] ?? 0;
  }

  committed(index: number, key: string, current: Uint8Array | undefined): Committed {
    const at = index * RESULT_FIELDS;
    const rev = this.values[at + 1] ?? 0;
    if (isWon(this.values[at])) return { ok: true, rev };
    if (this.values[at] === GUARD_FAILED) return { ok: false, rev, guardFailed: true };
    const modRevision = this.values[at + 3] ?? 0;
    if (modRevision === 0 || current === undefined) return { ok: false, rev };
    const value = Buffer.from(current.buffer, current.byteOffset, current.byteLength);
    const createRevision = this.createRevision(index);
    return { ok: false, rev, current: { key, value, createRevision, modRevision } };
  }

  #set(index: number, outcome: number, rev: Revision): void {
    const at = index * RESULT_FIELDS;
    this.values[at] = outcome;
    this.values[at + 1] = rev;
  }

  /** Revisions of the version of the key; 0 for none. */
  #setVersion(index: number, createRevision: Revision, modRevision: Revision): void {
    const at = index * RESULT_FIELDS;
    this.values[at + 2] = createRevision;
    this.values[at + 3] = modRevision;
  }
}
