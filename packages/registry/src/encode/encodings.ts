import type { ResourceType } from '@orch/apis';
import { type CachedObject, type EventEncoder, itemsLength } from '@orch/cache';
import type { Clock, Names, Status } from '@orch/machinery';
import { cborFromJson } from '@orch/machinery/cbor';
import type { Turns, Work } from '@orch/machinery/concurrency';
import { encodeJson, isLarge, parseJson } from '@orch/machinery/json';
import { encodeYaml } from '@orch/machinery/yaml';
import { type ProtobufKind, prettyJson, writeProtobuf } from '@orch/request';
import type { ProtobufCodec } from '@orch/schema';
import type { Revision } from '@orch/storage';
import type { VersionConverter } from '../convert/version-converter.ts';
import { type RowSource, TableWriter } from '../table/index.ts';
import { ConvertedReads } from './converted-reads.ts';
import { encodeInTurns } from './encode-in-turns.ts';
import { cborFrame, eventHeads, jsonFrame } from './event-frames.ts';
import {
  convertedList,
  END_LIST,
  type EncodedList,
  inFormat,
  inTurns,
  jsonChunks,
  OBJECTS_PER_TURN,
} from './json-lists.ts';
import { type ListMetadata, listKindOf, listMetadataJson } from './list-metadata.ts';
import { PartialMetadataWriter } from './partial-metadata.ts';
import { ProtobufEncodings, type SharedProtobuf } from './protobuf-encodings.ts';
import type { ResponseFormat } from './response-format.ts';
import { yamlList, yamlListInTurns } from './yaml-lists.ts';

/** Whether the encoding of an object of so many bytes of JSON takes long: it is more than a copy. */
const isLongEncoding = (bytes: number, { pretty, representation }: ResponseFormat): boolean =>
  isLarge(bytes) && (pretty || representation.encoding !== 'json' || representation.as !== 'plain');

/** Events of a watch in one format. */
export interface WatchFrames {
  /** `first`: for the first event of a watch, which contains the columns of a table. */
  encoder(first: boolean): EventEncoder;
  bookmark(rev: Revision, initialEventsEnd: boolean, first: boolean): Buffer;
  /** An in-stream error event (spec 6), framed for the socket. */
  error(status: Status): Buffer;
}

export interface ResourceEncodingsOptions {
  readonly type: Pick<ResourceType, 'kind' | 'table'>;
  readonly converter: VersionConverter;
  readonly names: Names;
  readonly clock: Clock;
  /** For the encoding of large objects. */
  readonly turns: Turns;
  readonly protobuf: ProtobufKind;
  readonly sharedProtobuf: SharedProtobuf;
  /** The version has other columns than the hub. */
  readonly hasOwnTable: boolean;
}

const NEWLINE = Buffer.from('\n');
/** Encodes one resource in one version in all formats. Cached bytes are copied, not encoded again. */
export class ResourceEncodings {
  readonly #type: ResourceEncodingsOptions['type'];
  readonly #version: VersionConverter;
  readonly #apiVersion: string;
  readonly #names: Names;
  readonly #clock: Clock;
  readonly #turns: Turns;
  readonly #protobuf: ProtobufEncodings;
  readonly #tables = new Map<string, TableWriter>();
  readonly #partials = new Map<string, PartialMetadataWriter>();
  readonly #frames = new Map<string, WatchFrames>();
  readonly #converted: ConvertedReads | undefined;
  readonly #hasOwnTable: boolean;

  constructor(options: ResourceEncodingsOptions) {
    const { type, converter, names, clock, protobuf } = options;
    this.#type = type;
    this.#hasOwnTable = options.hasOwnTable;
    this.#version = converter;
    this.#apiVersion = converter.apiVersion;
    this.#names = names;
    this.#clock = clock;
    this.#turns = options.turns;
    const { conversion, differs } = converter;
    this.#converted = conversion && new ConvertedReads(type.kind, conversion, !differs);
    this.#protobuf = new ProtobufEncodings({
      ...options.sharedProtobuf,
      names,
      kind: type.kind,
      apiVersion: converter.apiVersion,
      codec: protobuf.codec,
      // The envelope contains the version, the message does not.
      cachedAs: converter.differs ? converter.apiVersion : protobuf.schemaName,
      encoder: converter.differs ? converter.encoder : undefined,
    });
  }

  /** Whether cached objects must be converted by `view` before they are encoded. */
  get converts(): boolean {
    return this.#converted !== undefined;
  }

  /** Cached objects as this version encodes them; a promise where a webhook must convert some of them. */
  view(
    objects: readonly CachedObject[],
    signal: AbortSignal,
  ): readonly CachedObject[] | Promise<readonly CachedObject[]> {
    return this.#converted === undefined ? objects : this.#converted.view(objects, signal);
  }

  /** JSON of a cached object in the served version. */
  json(object: CachedObject): Buffer {
    const { encoder } = this.#version;
    return encoder === undefined ? object.json() : object.encoded(encoder);
  }

  /** A cached object; one of revision 0 was never stored. */
  cached(object: CachedObject, format: ResponseFormat): Buffer {
    const { representation } = format;
    if (representation.encoding === 'protobuf') return this.#protobuf.cached(object, representation);
    const served = this.json(object);
    const hub = representation.as === 'table' ? object.json() : served;
    return this.#object({ hub, served }, object.rev === 0 ? '' : String(object.rev), format);
  }

  /** As `cached`; a promise for a large object that is converted, or in another format than JSON: it is encoded in turns. */
  cachedInTurns(object: CachedObject, format: ResponseFormat): Buffer | Promise<Buffer> {
    if (!this.#isConvertedInPieces(object.size) && !isLongEncoding(object.size, format))
      return this.cached(object, format);
    const json = (): Work<Buffer> => this.#cachedJson(object, format);
    const protobuf = (): Work<Buffer> => this.#cachedProtobuf(object, format);
    return encodeInTurns(this.#turns, { json, protobuf }, format);
  }

  /** As `object`; a promise for a large object that is converted, or in another format than JSON: it is encoded in turns. */
  objectInTurns(hub: Buffer, resourceVersion: string, format: ResponseFormat): Buffer | Promise<Buffer> {
    if (!this.#isConvertedInPieces(hub.length) && !isLongEncoding(hub.length, format))
      return this.object(hub, resourceVersion, format);
    const json = (): Work<Buffer> => this.#objectJson(hub, resourceVersion, format);
    const protobuf = (): Work<Buffer> => this.#objectProtobuf(hub, format);
    return encodeInTurns(this.#turns, { json, protobuf }, format);
  }

  #isConvertedInPieces(bytes: number): boolean {
    return this.#version.inPieces !== undefined && isLarge(bytes);
  }

  *#cachedJson(object: CachedObject, format: ResponseFormat): Work<Buffer> {
    const served = yield* this.#servedInPieces(object);
    const hub = format.representation.as === 'table' ? object.json() : served;
    return yield* this.#jsonInPieces({ hub, served }, object.rev === 0 ? '' : String(object.rev), format);
  }

  *#cachedProtobuf(object: CachedObject, { representation }: ResponseFormat): Work<Buffer> {
    yield* this.#servedInPieces(object);
    return yield* this.#protobuf.cachedInPieces(object, representation);
  }

  *#objectJson(hub: Buffer, resourceVersion: string, format: ResponseFormat): Work<Buffer> {
    const served = yield* this.#convertedInPieces(hub);
    return yield* this.#jsonInPieces(this.#rowSource(hub, served), resourceVersion, format);
  }

  *#objectProtobuf(hub: Buffer, { representation }: ResponseFormat): Work<Buffer> {
    return yield* this.#protobuf.objectInPieces(yield* this.#convertedInPieces(hub), representation);
  }

  /** Like `json`, in pieces. */
  *#servedInPieces(object: CachedObject): Work<Buffer> {
    const { encoder, inPieces } = this.#version;
    if (encoder === undefined || inPieces === undefined || object.isEncoded(encoder))
      return this.json(object);
    const json = yield* inPieces.convertJson(object.json());
    return object.encoded({ ...encoder, encode: () => json });
  }

  *#convertedInPieces(hub: Buffer): Work<Buffer> {
    const { inPieces } = this.#version;
    return inPieces === undefined ? this.#version.convertJson(hub) : yield* inPieces.convertJson(hub);
  }

  /** One object, given as JSON in the hub version. */
  object(hub: Buffer, resourceVersion: string, format: ResponseFormat): Buffer {
    const served = this.#version.convertJson(hub);
    return format.representation.encoding === 'protobuf'
      ? this.#protobuf.object(served, format.representation)
      : this.#object(this.#rowSource(hub, served), resourceVersion, format);
  }

  /** The mapping of fields to the hub is unknown where a webhook converts: cells are then made from the served version. */
  #rowSource(hub: Buffer, served: Buffer): RowSource {
    return { hub: this.converts ? served : hub, served };
  }

  /** The JSON that a large object is answered with, before it is encoded in another format. */
  *#jsonInPieces(source: RowSource, resourceVersion: string, format: ResponseFormat): Work<Buffer> {
    switch (format.representation.as) {
      case 'table': {
        const table = this.#table(format);
        const json = yield* table.oneInPieces(source, resourceVersion, this.#clock.now());
        return Buffer.concat([json, NEWLINE]);
      }
      case 'partial':
        return this.#partial(format).one(source.served);
      case 'plain':
        return source.served;
    }
  }

  #object(source: RowSource, resourceVersion: string, format: ResponseFormat): Buffer {
    switch (format.representation.as) {
      case 'table':
        return finish(
          Buffer.concat([this.#table(format).one(source, resourceVersion, this.#clock.now()), NEWLINE]),
          format,
        );
      case 'partial':
        return finish(this.#partial(format).one(source.served), format);
      case 'plain':
        return finish(source.served, format);
    }
  }

  /** A list of cached objects as they are in the cache; a promise where a webhook must convert some of them. */
  cachedList(
    objects: readonly CachedObject[],
    metadata: ListMetadata,
    { format, signal }: { readonly format: ResponseFormat; readonly signal: AbortSignal },
  ): EncodedList | Promise<EncodedList> {
    if (this.#converted === undefined) return this.list(objects, metadata, format);
    const content = isPlainJson(format) ? this.#converted.content(objects) : undefined;
    if (content !== undefined) return convertedList(this.#jsonListHead(listMetadataJson(metadata)), content);
    const view = this.#converted.view(objects, signal);
    return view instanceof Promise
      ? view.then((all) => this.list(all, metadata, format))
      : this.list(view, metadata, format);
  }

  /** Slices of a list, and their total length where it is known without encoding. */
  list(objects: readonly CachedObject[], metadata: ListMetadata, format: ResponseFormat): EncodedList {
    if (format.representation.encoding === 'protobuf') {
      const { representation } = format;
      return this.#protobuf.list(objects, metadata, { representation, turns: this.#turns });
    }
    const meta = listMetadataJson(metadata);
    switch (format.representation.as) {
      case 'table':
        return this.#tableList(objects, meta, format);
      case 'partial':
        return { chunks: inFormat(this.#partial(format).list(objects, meta), format) };
      case 'plain':
        if (format.representation.encoding === 'yaml') return { chunks: this.#yamlList(objects, meta) };
        return this.#jsonList(objects, meta, format);
    }
  }

  /** The frames of a watch; cached, so that watchers with the same format share them. */
  watchFrames(format: ResponseFormat): WatchFrames {
    const { as, encoding, metaVersion } = format.representation;
    const id = `${encoding}/${as}/${metaVersion}/${as === 'table' ? format.include : ''}`;
    let frames = this.#frames.get(id);
    if (frames === undefined) {
      frames = encoding === 'protobuf' ? this.#protobufFrames(format) : this.#makeFrames(id, format);
      this.#frames.set(id, frames);
    }
    return frames;
  }

  #makeFrames(id: string, format: ResponseFormat): WatchFrames {
    const body = (object: CachedObject, first: boolean): Buffer => {
      const served = this.json(object);
      if (format.representation.as === 'plain') return served;
      if (format.representation.as === 'partial') return this.#partial(format).one(served);
      const source = { hub: object.json(), served };
      return this.#table(format).one(source, String(object.rev), this.#clock.now(), first);
    };
    const frame = format.representation.encoding === 'cbor' ? cborFrame : jsonFrame;
    const encoder = (first: boolean): EventEncoder => ({
      id: `${this.#apiVersion} ${id}${first ? ' first' : ''}`,
      encode: (type, object) => frame(eventHeads[type], body(object, first)),
    });
    const later = encoder(false);
    const firstOfTable = format.representation.as === 'table' ? encoder(true) : later;
    return {
      encoder: (first) => (first ? firstOfTable : later),
      bookmark: (rev, end, first) => frame(eventHeads.BOOKMARK, this.#bookmark(rev, end, format, first)),
      error: (status) => frame(eventHeads.ERROR, encodeJson(status)),
    };
  }

  #protobufFrames(format: ResponseFormat): WatchFrames {
    const encoder = this.#protobuf.encoder(format.representation);
    return {
      encoder: () => encoder,
      bookmark: (rev, end, first) =>
        this.#protobuf.bookmark(this.#bookmark(rev, end, format, first), format.representation),
      error: (status) => this.#protobuf.error(status),
    };
  }

  #bookmark(rev: Revision, initialEventsEnd: boolean, format: ResponseFormat, first: boolean): Buffer {
    const annotations = initialEventsEnd ? { [this.#names.annotations.initialEventsEnd]: 'true' } : undefined;
    const metadata = { resourceVersion: String(rev), ...(annotations === undefined ? {} : { annotations }) };
    switch (format.representation.as) {
      case 'table':
        return this.#table(format).bookmark(String(rev), first, initialEventsEnd ? metadata : undefined);
      case 'partial':
        return this.#partial(format).bookmark(metadata);
      case 'plain':
        return Buffer.from(JSON.stringify({ kind: this.#type.kind, apiVersion: this.#apiVersion, metadata }));
    }
  }

  #jsonList(objects: readonly CachedObject[], metadata: string, format: ResponseFormat): EncodedList {
    const head = this.#jsonListHead(metadata);
    const { encoder, differs } = this.#version;
    const chunks = jsonChunks(head, objects, encoder);
    if (differs && encoder !== undefined && objects.length > OBJECTS_PER_TURN) {
      return { chunks: inTurns(objects, encoder, inFormat(chunks, format)) };
    }
    if (format.pretty || format.representation.encoding === 'cbor')
      return { chunks: inFormat(chunks, format) };
    return { chunks, length: head.length + itemsLength(objects, encoder) + END_LIST.length };
  }

  #jsonListHead(metadata: string): Buffer {
    const kind = JSON.stringify(listKindOf(this.#type));
    const version = JSON.stringify(this.#apiVersion);
    return Buffer.from(`{"kind":${kind},"apiVersion":${version},"metadata":${metadata},"items":[`);
  }

  #yamlList(objects: readonly CachedObject[], metadata: string): EncodedList['chunks'] {
    const head = { apiVersion: this.#apiVersion, kind: listKindOf(this.#type), metadata };
    const jsonOf = (object: CachedObject): Buffer => this.json(object);
    return objects.some(({ size }) => isLarge(size))
      ? yamlListInTurns(head, { objects, jsonOf }, this.#turns)
      : yamlList(head, { objects, jsonOf });
  }

  #tableList(objects: readonly CachedObject[], metadata: string, format: ResponseFormat): EncodedList {
    const table = this.#table(format);
    const nowMs = this.#clock.now();
    if (format.pretty || !objects.some(({ size }) => isLarge(size)))
      return { chunks: inFormat(table.list(objects, metadata, nowMs), format) };
    return { chunks: table.listInTurns(objects, metadata, { nowMs, turns: this.#turns }) };
  }

  #table(format: ResponseFormat): TableWriter {
    const { metaVersion } = format.representation;
    const key = `${metaVersion} ${format.include}`;
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = new TableWriter({
        type: this.#type,
        names: this.#names,
        metaApiVersion: this.#names.apiVersion('meta', metaVersion),
        include: format.include,
        converter: this.#version,
        hasOwnTable: this.#hasOwnTable,
      });
      this.#tables.set(key, table);
    }
    return table;
  }

  #partial(format: ResponseFormat): PartialMetadataWriter {
    const { metaVersion } = format.representation;
    let partial = this.#partials.get(metaVersion);
    if (partial === undefined) {
      const { differs, encoder } = this.#version;
      partial = new PartialMetadataWriter(
        this.#names.apiVersion('meta', metaVersion),
        differs ? encoder : undefined,
      );
      this.#partials.set(metaVersion, partial);
    }
    return partial;
  }
}

const isPlainJson = ({ pretty, representation }: ResponseFormat): boolean =>
  !pretty && representation.as === 'plain' && representation.encoding === 'json';

/** An object in the encoding of a format. It has its kind and apiVersion; `codec` is that of its kind. */
export const encodeObject = (
  object: Readonly<Record<string, unknown>>,
  codec: ProtobufCodec,
  format: Pick<ResponseFormat, 'pretty' | 'representation'>,
): Buffer =>
  format.representation.encoding === 'protobuf'
    ? writeProtobuf(object, codec)
    : finish(encodeJson(object), format);

/** A whole JSON document in the encoding of a format other than Protobuf. */
export function finish(json: Buffer, format: Pick<ResponseFormat, 'pretty' | 'representation'>): Buffer {
  if (format.representation.encoding === 'yaml') return Buffer.from(encodeYaml(parseJson(json)));
  if (format.representation.encoding === 'cbor') return cborFromJson(json);
  return format.pretty ? prettyJson(json) : json;
}
