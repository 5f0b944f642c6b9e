import type { Column, ResourceType, TableDefinition } from '@orch/apis';
import type { CachedObject, ObjectEncoder } from '@orch/cache';
import type { ApiObject, Names } from '@orch/machinery';
import type { Turns, Work } from '@orch/machinery/concurrency';
import { encodeJson, isLarge } from '@orch/machinery/json';
import { PAUSE } from '@orch/request';
import {
  encodeRow,
  encodeRowInPieces,
  type IncludeObject,
  type RowFormat,
  type RowOptions,
  type RowSource,
  rowBound,
  rowFormat,
  writeRow,
} from './row.ts';
import { SliceWriter } from './slice-writer.ts';

const column = (
  name: string,
  type: Column['type'],
  format: Column['format'],
  description: string,
): Column => ({
  name,
  type,
  format,
  priority: 0,
  description,
});

/** The table of kinds that declare none (spec 2.5). */
const defaultTable: TableDefinition = {
  columns: [
    column('Name', 'string', 'name', 'Name of the object, unique among those of its kind in its namespace.'),
    column('Created At', 'date', '', 'When the server created the object, in RFC 3339 form and UTC.'),
  ],
  cells: (object: ApiObject) => [object.metadata.name ?? '', object.metadata.creationTimestamp ?? null],
};

const CLOSE = Buffer.from(']}\n');
/** Bytes of JSON from which rows are made between two pauses. */
const BYTES_PER_TURN = 64 * 1024;
const COMMA = 0x2c;

/** Slices of the rows of a table. */
class Rows {
  readonly #out = new SliceWriter();
  readonly #options: RowOptions;
  #isFirst = true;

  constructor(format: RowFormat, nowMs: number) {
    this.#options = { format, nowMs };
  }

  /** Adds a row; returns the slice that is full. */
  add(row: Buffer, json: Buffer): Buffer | undefined {
    const full = this.#out.reserve(rowBound(row, json, this.#options.format) + 1);
    if (this.#isFirst) this.#isFirst = false;
    else this.#out.byte(COMMA);
    writeRow(this.#out, row, json, this.#options);
    return full;
  }

  *end(): Generator<Buffer> {
    const rest = this.#out.flush();
    if (rest !== undefined) yield rest;
    yield CLOSE;
  }
}

export interface TableWriterOptions {
  readonly type: Pick<ResourceType, 'table'>;
  readonly names: Names;
  readonly metaApiVersion: string;
  readonly include: IncludeObject;
  /** The version of the objects in the table. Cells are always made from the hub. */
  readonly converter: {
    /** Its metadata may differ from that of the hub. */
    readonly differs: boolean;
    readonly encoder: ObjectEncoder | undefined;
  };
  /** The version has other columns than the hub: its rows are cached separately. */
  readonly hasOwnTable: boolean;
}

/** A column as clients see it: without the releases that have it. */
const publishedColumn = ({ since: _since, gate: _gate, ...published }: Column): object => published;

/** A table of objects of one resource, in one format: the response for `as=Table` (spec 2.5, facts: table columns). */
export class TableWriter {
  readonly #definition: TableDefinition;
  readonly #names: Names;
  readonly #encoder: ObjectEncoder;
  readonly #format: RowFormat;
  readonly #columns: string;
  readonly #metaApiVersion: string;
  /** JSON from which rows were made so far, in bytes. */
  #encoded = 0;

  /** The JSON of a cached object from which rows are cut. */
  readonly #rowJson: (object: CachedObject) => Buffer;
  /** The JSON whose metadata the cached rows refer to. */
  readonly #cutFrom: (object: CachedObject) => Buffer;

  constructor(options: TableWriterOptions) {
    const { type, names, metaApiVersion, include, converter, hasOwnTable } = options;
    this.#definition = type.table ?? defaultTable;
    this.#names = names;
    this.#format = rowFormat(include, metaApiVersion);
    this.#metaApiVersion = metaApiVersion;
    this.#columns = encodeJson(this.#definition.columns.map(publishedColumn)).toString();
    const ofHub = (object: CachedObject): Buffer => object.json();
    const { encoder } = converter;
    const rendered = encoder === undefined ? ofHub : (object: CachedObject) => object.encoded(encoder);
    // Versions with the same metadata share their rows; only those of the others are cached separately.
    const own = converter.differs && (include !== 'None' || hasOwnTable);
    this.#rowJson = own || include === 'Object' ? rendered : ofHub;
    this.#cutFrom = own ? rendered : ofHub;
    this.#encoder = {
      id: own || hasOwnTable ? `table-row ${encoder?.id ?? ''}` : 'table-row',
      encode: (object) => {
        this.#encoded += object.size;
        return this.#row({ hub: object.json(), served: this.#cutFrom(object) });
      },
    };
  }

  /** Slices of a table of many rows, with pauses after many that were not in the cache. `metadata` is the JSON of its list metadata. */
  *list(objects: Iterable<CachedObject>, metadata: string, nowMs: number): Generator<Buffer> {
    yield Buffer.from(this.#head(metadata, true));
    const rows = new Rows(this.#format, nowMs);
    let enough = this.#encoded + BYTES_PER_TURN;
    for (const object of objects) {
      const full = rows.add(object.encoded(this.#encoder), this.#rowJson(object));
      if (full !== undefined) yield full;
      if (this.#encoded < enough) continue;
      yield PAUSE;
      enough = this.#encoded + BYTES_PER_TURN;
    }
    yield* rows.end();
  }

  /** Like `list`, with large objects among the others, whose rows are made in turns. */
  async *listInTurns(
    objects: Iterable<CachedObject>,
    metadata: string,
    { nowMs, turns }: { readonly nowMs: number; readonly turns: Turns },
  ): AsyncGenerator<Buffer> {
    yield Buffer.from(this.#head(metadata, true));
    const rows = new Rows(this.#format, nowMs);
    for (const object of objects) {
      const row = isLarge(object.size)
        ? await turns.run(this.#encodedInPieces(object))
        : object.encoded(this.#encoder);
      const full = rows.add(row, this.#rowJson(object));
      if (full !== undefined) yield full;
    }
    yield* rows.end();
  }

  *#encodedInPieces(object: CachedObject): Work<Buffer> {
    if (object.isEncoded(this.#encoder)) return object.encoded(this.#encoder);
    const source = { hub: object.json(), served: this.#cutFrom(object) };
    const row = yield* encodeRowInPieces(source, { table: this.#definition, names: this.#names });
    return object.encoded({ ...this.#encoder, encode: () => row });
  }

  /** A table of one object. `columns` is false for all but the first event of a watch. */
  one(source: RowSource, resourceVersion: string, nowMs: number, columns = true): Buffer {
    return this.#around(this.#row(source), source, { resourceVersion, nowMs, columns });
  }

  /** Like `one` with columns, in pieces. */
  *oneInPieces(source: RowSource, resourceVersion: string, nowMs: number): Work<Buffer> {
    const row = yield* encodeRowInPieces(source, { table: this.#definition, names: this.#names });
    return this.#around(row, source, { resourceVersion, nowMs, columns: true });
  }

  #around(
    row: Buffer,
    { served: json }: RowSource,
    { resourceVersion, nowMs, columns }: { resourceVersion: string; nowMs: number; columns: boolean },
  ): Buffer {
    const out = new SliceWriter(0);
    const head = Buffer.from(this.#head(`{"resourceVersion":${JSON.stringify(resourceVersion)}}`, columns));
    out.reserve(head.length + rowBound(row, json, this.#format) + CLOSE.length);
    out.copy(head, 0, head.length);
    writeRow(out, row, json, { format: this.#format, nowMs });
    out.copy(CLOSE, 0, CLOSE.length - 1);
    return out.flush() ?? Buffer.alloc(0);
  }

  /**
   * The table of a bookmark: without rows, or, when the metadata has more than the version, with one row that contains
   * only the metadata.
   */
  bookmark(resourceVersion: string, columns: boolean, metadata?: object): Buffer {
    const head = this.#head(JSON.stringify({ resourceVersion }), columns);
    if (metadata === undefined) return Buffer.from(`${head}]}`);
    const object = { kind: 'PartialObjectMetadata', apiVersion: this.#metaApiVersion, metadata };
    return Buffer.from(`${head}${JSON.stringify({ cells: [], object })}]}`);
  }

  #head(metadata: string, columns: boolean): string {
    const version = JSON.stringify(this.#metaApiVersion);
    return `{"kind":"Table","apiVersion":${version},"metadata":${metadata},"columnDefinitions":${columns ? this.#columns : 'null'},"rows":[`;
  }

  #row(source: RowSource): Buffer {
    return encodeRow(source, this.#definition, this.#names);
  }
}
