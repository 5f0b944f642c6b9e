import type { ResourceType } from '@orch/apis';
import {
  type CachedObject,
  type EventEncoder,
  encodeItems,
  itemsLength,
  type ObjectEncoder,
} from '@orch/cache';
import { type Clock, encodeJson, encodeYaml, type Names, parseJson, type Status } from '@orch/machinery';
import {
  type ChunksReply,
  frameChunk,
  type ProtobufKind,
  prettyChunks,
  prettyJson,
  type Representation,
  writeProtobuf,
} from '@orch/request';
import type { ProtobufCodec } from '@orch/schema';
import type { Revision } from '@orch/storage';
import type { VersionForm } from '../convert/version-form.ts';
import { type IncludeObject, type RowSource, TableWriter } from '../table/index.ts';
import { type ListMetadata, listMetadataJson } from './list-metadata.ts';
import { PartialMetadataWriter } from './partial-metadata.ts';
import { ProtobufEncodings, type SharedProtobuf } from './protobuf-encodings.ts';

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
  encoder(first: boolean): EventEncoder;
  bookmark(rev: Revision, initialEventsEnd: boolean, first: boolean): Buffer;
  /** An in-stream error event (spec 6), framed for the socket. */
  error(status: Status): Buffer;
}

export interface ResourceEncodingsOptions {
  readonly type: Pick<ResourceType, 'kind' | 'table'>;
  readonly form: VersionForm;
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
  readonly #type: ResourceEncodingsOptions['type'];
  readonly #version: VersionForm;
  readonly #apiVersion: string;
  readonly #names: Names;
  readonly #clock: Clock;
  readonly #protobuf: ProtobufEncodings;
  readonly #tables = new Map<string, TableWriter>();
  readonly #partials = new Map<string, PartialMetadataWriter>();
  readonly #frames = new Map<string, WatchFrames>();

  constructor(options: ResourceEncodingsOptions) {
    const { type, form, names, clock, protobuf } = options;
    this.#type = type;
    this.#version = form;
    this.#apiVersion = form.apiVersion;
    this.#names = names;
    this.#clock = clock;
    this.#protobuf = new ProtobufEncodings({
      ...options.sharedProtobuf,
      names,
      kind: type.kind,
      apiVersion: form.apiVersion,
      codec: protobuf.codec,
      // The envelope tells the version, the message does not.
      cachedAs: form.differs ? form.apiVersion : protobuf.schemaName,
      rendition: form.differs ? form.rendition : undefined,
    });
  }

  /** JSON of a cached object in the served version. */
  json(object: CachedObject): Buffer {
    const { rendition } = this.#version;
    return rendition === undefined ? object.json() : object.encoded(rendition);
  }

  /** A cached object; one of revision 0 was never stored. */
  cached(object: CachedObject, form: Form): Buffer {
    const { representation } = form;
    if (representation.encoding === 'protobuf') return this.#protobuf.cached(object, representation);
    const shown = this.json(object);
    const hub = representation.as === 'table' ? object.json() : shown;
    return this.#object({ hub, shown }, object.rev === 0 ? '' : String(object.rev), form);
  }

  /** One object, given as JSON in the hub version. */
  object(hub: Buffer, resourceVersion: string, form: Form): Buffer {
    const shown = this.#version.render(hub);
    return form.representation.encoding === 'protobuf'
      ? this.#protobuf.object(shown, form.representation)
      : this.#object({ hub, shown }, resourceVersion, form);
  }

  #object(source: RowSource, resourceVersion: string, form: Form): Buffer {
    switch (form.representation.as) {
      case 'table':
        return finish(
          Buffer.concat([this.#table(form).one(source, resourceVersion, this.#clock.now()), NEWLINE]),
          form,
        );
      case 'partial':
        return finish(this.#partial(form).one(source.shown), form);
      case 'plain':
        return finish(source.shown, form);
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
      const shown = this.json(object);
      if (form.representation.as === 'plain') return shown;
      if (form.representation.as === 'partial') return this.#partial(form).one(shown);
      const source = { hub: object.json(), shown };
      return this.#table(form).one(source, String(object.rev), this.#clock.now(), first);
    };
    const encoder = (first: boolean): EventEncoder => ({
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
    const { rendition, differs } = this.#version;
    const chunks = jsonChunks(head, objects, rendition);
    if (differs && rendition !== undefined && objects.length > OBJECTS_PER_TURN) {
      return { chunks: inTurns(objects, rendition, indented(chunks, form)) };
    }
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
      table = new TableWriter({
        type: this.#type,
        names: this.#names,
        metaApiVersion: this.#names.apiVersion('meta', metaVersion),
        include: form.include,
        form: this.#version,
      });
      this.#tables.set(key, table);
    }
    return table;
  }

  #partial(form: Form): PartialMetadataWriter {
    const { metaVersion } = form.representation;
    let partial = this.#partials.get(metaVersion);
    if (partial === undefined) {
      const { differs, rendition } = this.#version;
      partial = new PartialMetadataWriter(
        this.#names.apiVersion('meta', metaVersion),
        differs ? rendition : undefined,
      );
      this.#partials.set(metaVersion, partial);
    }
    return partial;
  }
}

function* jsonChunks(
  head: Buffer,
  objects: readonly CachedObject[],
  rendition: ObjectEncoder | undefined,
): Generator<Buffer> {
  yield head;
  yield* encodeItems(objects, rendition);
  yield END_LIST;
}

/** Objects converted in one turn of the event loop: some milliseconds, when none of them is in the cache. */
const OBJECTS_PER_TURN = 256;

/** Converts all objects before the first byte leaves, over several turns: slices of a list are cut from what is kept. */
async function* inTurns(
  objects: readonly CachedObject[],
  rendition: ObjectEncoder,
  chunks: Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  for (const [i, object] of objects.entries()) {
    object.encoded(rendition);
    if (i % OBJECTS_PER_TURN === OBJECTS_PER_TURN - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  yield* chunks;
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
