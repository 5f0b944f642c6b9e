import type { AgeCell, Cell, TableDefinition } from '@orch/apis';
import { type ApiObject, type Names, ownBytes } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { isExactNumber, jsonText, parseJson, parseJsonInPieces } from '@orch/machinery/json';
import { humanAge } from '@orch/machinery/time';
import { metadataSpan } from '../json/json-slices.ts';
import type { SliceWriter } from './slice-writer.ts';

/**
 * The cached form of a row: the parts that do not change with time.
 *
 * u32 metadata start, u32 metadata end     in the JSON of the returned object u32 number of ages per age: u32 offset
 * into the text, f64 epoch milliseconds (NaN when unknown) text: `{"cells":[…]` and conditions, without the ages,
 * without the object, without the last brace
 */
const HEAD_BYTES = 12;
const AGE_BYTES = 12;
/** No age is longer (`1000000y`), nor is `<invalid>` or `<unknown>`. */
const MAX_AGE_TEXT = 24;

const isAge = (cell: Cell): cell is AgeCell =>
  typeof cell === 'object' && cell !== null && !isExactNumber(cell);

/** Text inside a JSON string, without its quotes. */
const inner = (text: string | undefined): string => (text === undefined ? '' : jsonText(text).slice(1, -1));

const instantMs = (text: string | null | undefined): number =>
  text === null || text === undefined || text === '' ? Number.NaN : Date.parse(text);

/** An object in the version of the hub, and in that of the client: the same bytes, unless their versions differ. */
export interface RowSource {
  readonly hub: Buffer;
  readonly served: Buffer;
}

/** Creates the cached form of a row. */
export const encodeRow = ({ hub, served }: RowSource, table: TableDefinition, names: Names): Buffer =>
  rowOf(parseJson(hub) as ApiObject, served, { table, names });

/** Like `encodeRow`, in pieces. */
export function* encodeRowInPieces({ hub, served }: RowSource, kind: RowKind): Work<Buffer> {
  const object = (yield* parseJsonInPieces(hub)) as ApiObject;
  yield;
  return rowOf(object, served, kind);
}

/** The values on which the cells of a row depend, besides its object. */
export interface RowKind {
  readonly table: TableDefinition;
  readonly names: Names;
}

function rowOf(object: ApiObject, served: Buffer, { table, names }: RowKind): Buffer {
  const ages: { offset: number; ms: number }[] = [];
  let text = '{"cells":[';
  cellsOf(object, table, names).forEach((cell, i) => {
    if (i > 0) text += ',';
    if (!isAge(cell)) {
      text += jsonText(cell);
      return;
    }
    text += `"${inner(cell.prefix)}`;
    ages.push({ offset: Buffer.byteLength(text), ms: instantMs(cell.age) });
    text += `${inner(cell.suffix)}"`;
  });
  text += ']';
  const conditions = table.conditions?.(object) ?? [];
  if (conditions.length > 0) text += `,"conditions":${jsonText(conditions)}`;
  return pack(text, ages, served);
}

/**
 * Cells read objects by their declared types. An object that another program has stored with other types has only its
 * name.
 */
function cellsOf(object: ApiObject, table: TableDefinition, names: Names): readonly Cell[] {
  try {
    return table.cells(object, names);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return table.columns.map(({ format }) =>
      format === 'name' ? (object.metadata.name ?? '') : '<unknown>',
    );
  }
}

function pack(text: string, ages: readonly { offset: number; ms: number }[], json: Buffer): Buffer {
  const span = metadataSpan(json);
  const textAt = HEAD_BYTES + ages.length * AGE_BYTES;
  const row = Buffer.allocUnsafe(textAt + Buffer.byteLength(text));
  row.writeUInt32LE(span.start, 0);
  row.writeUInt32LE(span.end, 4);
  row.writeUInt32LE(ages.length, 8);
  ages.forEach(({ offset, ms }, i) => {
    row.writeUInt32LE(offset, HEAD_BYTES + i * AGE_BYTES);
    row.writeDoubleLE(ms, HEAD_BYTES + i * AGE_BYTES + 4);
  });
  row.write(text, textAt);
  return row;
}

/** The part of its object that a row contains. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** The text around the metadata or the object of every row of one answer. */
export interface RowFormat {
  readonly include: IncludeObject;
  /** `,"object":{"kind":"PartialObjectMetadata","apiVersion":"…","metadata":` for `Metadata`. */
  readonly objectHead: Buffer;
  /** Closes what `objectHead` and the row have opened. */
  readonly tail: Buffer;
}

export function rowFormat(include: IncludeObject, metaApiVersion: string): RowFormat {
  const partial = `,"object":{"kind":"PartialObjectMetadata","apiVersion":${JSON.stringify(metaApiVersion)},"metadata":`;
  const heads = { None: ',"object":null', Metadata: partial, Object: ',"object":' };
  return {
    include,
    objectHead: ownBytes(heads[include]),
    tail: ownBytes(include === 'Metadata' ? '}}' : '}'),
  };
}

/** Upper bound of the bytes that `writeRow` writes. */
export const rowBound = (row: Buffer, json: Buffer, format: RowFormat): number =>
  row.length +
  row.readUInt32LE(8) * MAX_AGE_TEXT +
  json.length +
  format.objectHead.length +
  format.tail.length;

export interface RowOptions {
  readonly format: RowFormat;
  /** The time that ages refer to. */
  readonly nowMs: number;
}

/** Writes a row with its ages as of `nowMs`; room for `rowBound` bytes was reserved. */
export function writeRow(out: SliceWriter, row: Buffer, json: Buffer, { format, nowMs }: RowOptions): void {
  const count = row.readUInt32LE(8);
  const textAt = HEAD_BYTES + count * AGE_BYTES;
  let from = textAt;
  for (let i = 0; i < count; i++) {
    const offset = textAt + row.readUInt32LE(HEAD_BYTES + i * AGE_BYTES);
    const ms = row.readDoubleLE(HEAD_BYTES + i * AGE_BYTES + 4);
    out.copy(row, from, offset);
    out.ascii(Number.isNaN(ms) ? '\\u003cunknown\\u003e' : ageText(nowMs - ms));
    from = offset;
  }
  out.copy(row, from, row.length);
  out.copy(format.objectHead, 0, format.objectHead.length);
  if (format.include === 'Metadata') out.copy(json, row.readUInt32LE(0), row.readUInt32LE(4));
  else if (format.include === 'Object') out.copy(json, 0, json.length);
  out.copy(format.tail, 0, format.tail.length);
}

function ageText(ms: number): string {
  const text = humanAge(ms);
  return text.startsWith('<') ? '\\u003cinvalid\\u003e' : text;
}
