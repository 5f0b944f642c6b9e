import type { ResourceType } from '@orch/apis';
import { type CachedObject, encodeItems, type FrameEncoder, itemsLength, type Rendition } from '@orch/cache';
import { type Clock, encodeJson, encodeYaml, type Names, parseJson, type Status } from '@orch/machinery';
import type { ProtobufCodec } from '@orch/schema';
import type { Revision } from '@orch/storage';
import { frameChunk } from '../http/chunk-frame.ts';
import { prettyChunks, prettyJson, type Representation } from '../negotiation/index.ts';
import type { ChunksReply } from '../pipeline/types.ts';
import { type IncludeObject, TableWriter } from '../table/index.ts';
import { type ListMetadata, listMetadataJson } from './list-metadata.ts';
import { PartialMetadataWriter } from './partial-metadata.ts';
import { ProtobufEncodings, type SharedProtobuf } from './protobuf-encodings.ts';
import { type ProtobufKind, writeProtobuf } from './protobuf-kind.ts';
import { type VersionSplice, versionSplice } from './version-splice.ts';

/** Everything that an answer's form depends on. */
export interface Form {
  readonly representation: Representation;
  readonly pretty: boolean;
  /** For tables. */
  readonly include: IncludeObject;
}

/** The body of a list answer. */
export type EncodedList = Pick<ChunksReply, 'chunks' | 'length'>;

/** Events of a watch in one form. */
export interface WatchFrames {
  /** `first`: for the first event of a watch, which tells the columns of a table. */
  encoder(first: boolean): FrameEncoder;
  bookmark(rev: Revision, initialEventsEnd: boolean, first: boolean): Buffer;
  /** An in-stream error event (spec 6), framed for the socket. */
  error(status: Status): Buffer;
}

export interface ResourceEncodingsOptions {
  readonly type: ResourceType;
  readonly servedVersion: string;
  readonly names: Names;
  readonly clock: Clock;
  readonly protobuf: ProtobufKind;
  readonly sharedProtobuf: SharedProtobuf;
}

const NEWLINE = Buffer.from('\n');
const END_LIST = Buffer.from(']}\n');
const END_EVENT = Buffer.from('}\n');
const eventHeads = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
} as const;

/** All forms in which one resource in one version is written. Bytes come from the cache and are not encoded again. */
export class ResourceEncodings {
  readonly #type: ResourceType;
  readonly #apiVersion: string;
  readonly #names: Names;
  readonly #clock: Clock;
  readonly #splice: VersionSplice;
  readonly #protobuf: ProtobufEncodings;
  readonly #tables = new Map<string, TableWriter>();
  readonly #partials = new Map<string, PartialMetadataWriter>();
  readonly #frames = new Map<string, WatchFrames>();

  constructor(options: ResourceEncodingsOptions) {
    const { type, servedVersion, names, clock, protobuf } = options;
    this.#type = type;
    this.#apiVersion = names.apiVersion(type.group, servedVersion);
    this.#names = names;
    this.#clock = clock;
    this.#splice = versionSplice(names.apiVersion(type.group, type.storedVersion), this.#apiVersion);
    this.#protobuf = new ProtobufEncodings({
      ...options.sharedProtobuf,
      names,
      kind: type.kind,
      apiVersion: this.#apiVersion,
      codec: protobuf.codec,
      schemaName: protobuf.schemaName,
    });
  }

  /** JSON of a cached object in the served version. */
  json(object: CachedObject): Buffer {
    return this.#splice.rendition === undefined ? object.json() : object.rendition(this.#splice.rendition);
  }

  /** JSON in the served version of JSON in the stored one. */
  served(storedJson: Buffer): Buffer {
    return this.#splice.apply(storedJson);
  }

  /** A cached object; one of revision 0 was never stored. */
  cached(object: CachedObject, form: Form): Buffer {
    const { representation } = form;
    return representation.encoding === 'protobuf'
      ? this.#protobuf.cached(object, representation)
      : this.object(this.json(object), object.rev === 0 ? '' : String(object.rev), form);
  }

  /** One object, given as JSON in the served version. */
  object(json: Buffer, resourceVersion: string, form: Form): Buffer {
    const { representation } = form;
    if (representation.encoding === 'protobuf') return this.#protobuf.object(json, representation);
    switch (representation.as) {
      case 'table':
        return finish(
          Buffer.concat([this.#table(form).one(json, resourceVersion, this.#clock.now()), NEWLINE]),
          form,
        );
      case 'partial':
        return finish(this.#partial(form).one(json), form);
      case 'plain':
        return finish(json, form);
    }
  }

  /** Slices of a list, and their length where it costs nothing to know. */
  list(objects: readonly CachedObject[], metadata: ListMetadata, form: Form): EncodedList {
    if (form.representation.encoding === 'protobuf') {
      return this.#protobuf.list(objects, metadata, form.representation);
    }
    const meta = listMetadataJson(metadata);
    switch (form.representation.as) {
      case 'table':
        return { chunks: indented(this.#table(form).list(objects, meta, this.#clock.now()), form) };
      case 'partial':
        return { chunks: indented(this.#partial(form).list(objects, meta), form) };
      case 'plain':
        if (form.representation.encoding === 'yaml') return { chunks: this.#yamlList(objects, meta) };
        return this.#jsonList(objects, meta, form);
    }
  }

  /** The frames of a watch; memoised, so that watchers with the same form share theirs. */
  watchFrames(form: Form): WatchFrames {
    const { as, encoding, metaVersion } = form.representation;
    const id = `${encoding}/${as}/${metaVersion}/${as === 'table' ? form.include : ''}`;
    let frames = this.#frames.get(id);
    if (frames === undefined) {
      frames = encoding === 'protobuf' ? this.#protobufFrames(form) : this.#makeFrames(id, form);
      this.#frames.set(id, frames);
    }
    return frames;
  }

  #makeFrames(id: string, form: Form): WatchFrames {
    const body = (object: CachedObject, first: boolean): Buffer => {
      const json = this.json(object);
      if (form.representation.as === 'plain') return json;
      return form.representation.as === 'partial'
        ? this.#partial(form).one(json)
        : this.#table(form).one(json, String(object.rev), this.#clock.now(), first);
    };
    const encoder = (first: boolean): FrameEncoder => ({
      id: `${this.#apiVersion} ${id}${first ? ' first' : ''}`,
      encode: (type, object) => frameChunk(eventHeads[type], body(object, first), END_EVENT),
    });
    const later = encoder(false);
    const firstOfTable = form.representation.as === 'table' ? encoder(true) : later;
    return {
      encoder: (first) => (first ? firstOfTable : later),
      bookmark: (rev, end, first) =>
        frameChunk(eventHeads.BOOKMARK, this.#bookmark(rev, end, form, first), END_EVENT),
      error: (status) => frameChunk(eventHeads.ERROR, encodeJson(status), END_EVENT),
    };
  }

  #protobufFrames(form: Form): WatchFrames {
    const encoder = this.#protobuf.encoder(form.representation);
    return {
      encoder: () => encoder,
      bookmark: (rev, end, first) =>
        this.#protobuf.bookmark(this.#bookmark(rev, end, form, first), form.representation),
      error: (status) => this.#protobuf.error(status),
    };
  }

  #bookmark(rev: Revision, initialEventsEnd: boolean, form: Form, first: boolean): Buffer {
    const annotations = initialEventsEnd ? { [this.#names.annotations.initialEventsEnd]: 'true' } : undefined;
    const metadata = { resourceVersion: String(rev), ...(annotations === undefined ? {} : { annotations }) };
    switch (form.representation.as) {
      case 'table':
        return this.#table(form).bookmark(String(rev), first, initialEventsEnd ? metadata : undefined);
      case 'partial':
        return this.#partial(form).bookmark(metadata);
      case 'plain':
        return Buffer.from(JSON.stringify({ kind: this.#type.kind, apiVersion: this.#apiVersion, metadata }));
    }
  }

  #jsonList(objects: readonly CachedObject[], metadata: string, form: Form): EncodedList {
    const kind = JSON.stringify(`${this.#type.kind}List`);
    const version = JSON.stringify(this.#apiVersion);
    const head = Buffer.from(`{"kind":${kind},"apiVersion":${version},"metadata":${metadata},"items":[`);
    const { rendition } = this.#splice;
    const chunks = jsonChunks(head, objects, rendition);
    if (form.pretty) return { chunks: prettyChunks(chunks) };
    return { chunks, length: head.length + itemsLength(objects, rendition) + END_LIST.length };
  }

  /** Item by item, so that neither the memory nor the time of one turn grows with the list. */
  *#yamlList(objects: readonly CachedObject[], metadata: string): Generator<Buffer> {
    yield Buffer.from(`apiVersion: ${this.#apiVersion}\nitems:${objects.length === 0 ? ' []' : ''}\n`);
    for (const object of objects) yield Buffer.from(encodeYaml([parseJson(this.json(object))]));
    yield Buffer.from(`kind: ${this.#type.kind}List\nmetadata:\n`);
    yield Buffer.from(encodeYaml(JSON.parse(metadata)).replace(/^/gm, '  ').trimEnd());
    yield NEWLINE;
  }

  #table(form: Form): TableWriter {
    const { metaVersion } = form.representation;
    const key = `${metaVersion} ${form.include}`;
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = new TableWriter(
        this.#type,
        this.#names,
        this.#names.apiVersion('meta', metaVersion),
        form.include,
      );
      this.#tables.set(key, table);
    }
    return table;
  }

  #partial(form: Form): PartialMetadataWriter {
    const { metaVersion } = form.representation;
    let partial = this.#partials.get(metaVersion);
    if (partial === undefined) {
      partial = new PartialMetadataWriter(this.#names.apiVersion('meta', metaVersion));
      this.#partials.set(metaVersion, partial);
    }
    return partial;
  }
}

function* jsonChunks(
  head: Buffer,
  objects: readonly CachedObject[],
  rendition: Rendition | undefined,
): Generator<Buffer> {
  yield head;
  yield* encodeItems(objects, rendition);
  yield END_LIST;
}

const indented = (chunks: Iterable<Buffer>, form: Form): Iterable<Buffer> =>
  form.pretty ? prettyChunks(chunks) : chunks;

/** An object in the encoding of a form. It names its kind and apiVersion; `codec` is that of its kind. */
export const encodeObject = (
  object: Readonly<Record<string, unknown>>,
  codec: ProtobufCodec,
  form: Pick<Form, 'pretty' | 'representation'>,
): Buffer =>
  form.representation.encoding === 'protobuf'
    ? writeProtobuf(object, codec)
    : finish(encodeJson(object), form);

/** A whole JSON document in the encoding of a form, which is not Protobuf. */
export function finish(json: Buffer, form: Pick<Form, 'pretty' | 'representation'>): Buffer {
  if (form.representation.encoding === 'yaml') return Buffer.from(encodeYaml(parseJson(json)));
  return form.pretty ? prettyJson(json) : json;
}
