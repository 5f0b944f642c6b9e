import assert from 'node:assert/strict';
import { fieldServedIn, findKind, omittedWhereEmpty, type Release } from '@orch/apis';
import type { ApiObject, Names } from '@orch/machinery';
import { encodeJson, parseJson } from '@orch/machinery/json';
import {
  type Codec,
  codecCompiler,
  EnvelopeWriter,
  f,
  messageField,
  openEnvelope,
  type ProtobufCodec,
  protobufCompiler,
  type StructSchema,
  struct,
} from '@orch/schema';

/** An object that says what it is. */
export interface TypedObject extends ApiObject {
  kind: string;
  apiVersion: string;
}

/**
 * What a client of the Protobuf form has: the messages of every kind, and what is always to be seen in the JSON of one
 * release.
 */
export interface ProtobufClient {
  /** A request body. */
  write(object: TypedObject): Buffer;
  /** An answer in the form of its JSON. */
  read(bytes: Buffer): TypedObject;
  /** A list: what its envelope says, and its items without their kind. */
  readList(bytes: Buffer, item: { readonly apiVersion: string; readonly kind: string }): ProtobufList;
  /** Members of an object that the release does not have. */
  unknownFields(object: TypedObject): readonly string[];
  /** The events of a watch, each in a separate frame. */
  readEvent(frame: Buffer): { readonly type: string; readonly object: TypedObject };
}

export interface ProtobufList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly items: readonly ApiObject[];
}

const EVENT = struct('test.v1.Event', 'An event of a watch.', {
  type: f.string(1),
  object: f.struct(2, struct('test.v1.Raw', 'Bytes.', { raw: f.bytes(1) })),
});

const LENGTH_BYTES = 4;

export function protobufClient(
  names: Names,
  release: Release,
  openGates: ReadonlySet<string>,
): ProtobufClient {
  const includes = fieldServedIn(release, openGates);
  const served = codecCompiler(names, { includes });
  const isOmitted = omittedWhereEmpty(release);
  const codecs = codecCompiler(names, { quiet: (field) => !includes(field) || isOmitted(field) });
  const messages = protobufCompiler(names);
  const partOf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) =>
    partsOf(codecs.compile, messages.compile, schemaOf(names, apiVersion, kind));
  const event = messages.compile(EVENT);
  const read = (bytes: Buffer): TypedObject => {
    const { raw, ...typeMeta } = openEnvelope(bytes);
    const { codec, message } = partOf(typeMeta);
    return { ...plain(codec, { ...typeMeta, ...message.decode(raw) }), ...typeMeta };
  };
  return {
    write(object) {
      const { codec, message } = partOf(object);
      const { value } = codec.decode(object);
      return new EnvelopeWriter(object.kind, object.apiVersion).wrap(messageField(message, value));
    },
    read,
    readList(bytes, item) {
      const { raw, kind, apiVersion } = openEnvelope(bytes);
      const { codec, schema } = partOf(item);
      const list = messages.compile(listSchema(names, schema)).decode(raw);
      const items = (list['items'] ?? []) as readonly Record<string, unknown>[];
      return {
        kind,
        apiVersion,
        metadata: (list['metadata'] ?? {}) as ProtobufList['metadata'],
        items: items.map((one) => plain(codec, one)),
      };
    },
    unknownFields(object) {
      const schema = schemaOf(names, object.apiVersion, object.kind);
      const { problems } = served.compile(schema).decode(object, { reportUnknown: true });
      return problems.map(({ field }) => field).filter((field) => !madeEarly[object.kind]?.test(field));
    },
    readEvent(frame) {
      assert.equal(frame.readUInt32BE(), frame.length - LENGTH_BYTES, 'the length before the event');
      const { type, object } = event.decode(frame.subarray(LENGTH_BYTES));
      const { raw } = object as { readonly raw: string };
      return { type: String(type), object: read(Buffer.from(raw, 'base64')) };
    },
  };
}

/** Members that hubs need and conversions make, so that releases before them show them already. */
const madeEarly: Readonly<Record<string, RegExp>> = {
  CertificateSigningRequest: /^spec\.signerName$/,
  EndpointSlice: /^endpoints\[\d+\]\.nodeName$/,
};

interface Parts {
  readonly schema: StructSchema;
  readonly codec: Codec;
  readonly message: ProtobufCodec;
}

const partsOf = (
  codec: (schema: StructSchema) => Codec,
  message: (schema: StructSchema) => ProtobufCodec,
  schema: StructSchema,
): Parts => ({ schema, codec: codec(schema), message: message(schema) });

/** A message in its canonical JSON form, as plain data. */
const plain = (codec: Codec, message: Record<string, unknown>): ApiObject =>
  parseJson(encodeJson(codec.decode(message).value)) as ApiObject;

const lists = new WeakMap<StructSchema, StructSchema>();

function listSchema(names: Names, item: StructSchema): StructSchema {
  const known = lists.get(item);
  if (known !== undefined) return known;
  const metadata = schemaOf(names, names.apiVersion('meta', 'v1'), 'PartialObjectMetadataList').fields.find(
    ({ name }) => name === 'metadata',
  );
  const made = struct(`test.v1.List.${item.name}`, 'A list.', {
    metadata: f.struct(1, metadata?.schema ?? assert.fail('lists have metadata')),
    items: f.list(2, item),
  });
  lists.set(item, made);
  return made;
}

/** The schema that a client has of a kind. */
function schemaOf(names: Names, apiVersion: string, kind: string): StructSchema {
  const at = apiVersion.lastIndexOf('/');
  const group = names.groupKey(apiVersion.slice(0, Math.max(0, at)));
  const version = apiVersion.slice(at + 1);
  const found =
    findKind(group === 'core' ? '' : (group ?? ''), version, kind) ?? findKind('meta', 'v1', kind);
  return (found ?? assert.fail(`there is no ${apiVersion} ${kind}`)).schema;
}
