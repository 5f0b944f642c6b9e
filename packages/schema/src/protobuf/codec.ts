import type { Names } from '@orch/machinery';
import { Pace, type Work } from '@orch/machinery/concurrency';
import type { CodecOptions } from '../codec.ts';
import { memoised } from '../projection.ts';
import { resolveRef, type Schema, type StructSchema } from '../schema.ts';
import type { MessageWriter } from './envelope.ts';
import { type MessageContext, structCodec, structMessage } from './message.ts';
import { ProtobufReader, type Remarks } from './reader.ts';
import { embeddingCodec, type ReadEmbedded, scalarCodecs } from './scalar-codecs.ts';
import { unionCodec } from './union.ts';
import type { WireCodec } from './wire-codec.ts';
import type { Message } from './wire-field.ts';
import { wrappedListCodec } from './wrapped-list.ts';
import { ProtobufWriter } from './writer.ts';

/** The Protobuf message of one kind in one version, for one naming (spec 2.7, 4.7; facts: protoEncoding). */
export interface ProtobufCodec extends MessageWriter {
  /**
   * Reads the bytes of a message, untrusted, as its JSON value: input for `Codec.decode`, which applies the rules of
   * presence, types and defaults. Kind and apiVersion are not part of a message. Unknown fields are
   * skipped. Throws a `ProtobufError` for bytes that are no such message; bounded by the size of its input. With
   * `remarks`, unknown fields with a value and duplicate fields are reported by their paths.
   */
  decode(bytes: Buffer, remarks?: Remarks): Record<string, unknown>;
  /** Like `decode`, in pieces. */
  decodeInPieces(bytes: Buffer, remarks?: Remarks): Work<Record<string, unknown>>;
  /** Writes a value that `Codec.decode` returned, in canonical form. Kind and apiVersion are left out. */
  encode(value: Readonly<Record<string, unknown>>): Buffer;
}

/** Compiles schemas one after another, sharing common parts. */
export interface ProtobufCompiler {
  compile(schema: StructSchema): ProtobufCodec;
}

export interface ProtobufOptions extends CodecOptions {
  /**
   * Decodes objects within free-form fields that are Protobuf instead of JSON: returns the JSON value, kind and
   * apiVersion included, or throws a `ProtobufError`. Without it such fields are refused.
   */
  readonly readEmbedded?: ReadEmbedded;
}

/** A compiler of Protobuf codecs for one naming and one emulated release: fields that the release lacks are unknown. */
export function protobufCompiler(names: Names, options: ProtobufOptions = {}): ProtobufCompiler {
  const messageOf = memoised<Message, StructSchema>({
    name: 'protobuf message',
    build: (schema) => structMessage(schema, context),
  });
  const codecOf = memoised<WireCodec>({
    name: 'wire codec',
    build: (schema) => buildWireCodec(schema, context),
  });
  const { includes, quiet, readEmbedded } = options;
  const objects = readEmbedded === undefined ? scalarCodecs.object : embeddingCodec(readEmbedded);
  const context: MessageContext = { names, includes, quiet, objects, codecOf, messageOf };
  return {
    compile: memoised<ProtobufCodec, StructSchema>({
      name: 'protobuf codec',
      build: (schema) => kindCodec(messageOf(schema)),
    }),
  };
}

/** The codec of one schema. Prefer one `protobufCompiler` where several kinds are compiled. */
export const protobufCodec = (
  schema: StructSchema,
  names: Names,
  options: ProtobufOptions = {},
): ProtobufCodec => protobufCompiler(names, options).compile(schema);

function buildWireCodec(schema: Schema, context: MessageContext): WireCodec {
  switch (schema.kind) {
    case 'scalar':
      return schema.type === 'object' ? context.objects : scalarCodecs[schema.type];
    case 'struct':
      return structCodec(context.messageOf(schema), schema.embeddedAs);
    case 'list':
      return wrappedListCodec(() => context.codecOf(resolveRef(schema.items)));
    case 'union':
      return unionCodec(schema, context.codecOf);
    case 'map':
      throw new TypeError('a map within a map or list has no Protobuf encoding');
  }
}

function kindCodec(message: Message): ProtobufCodec {
  const codec = structCodec(message);
  return {
    decode(bytes, remarks) {
      const value: Record<string, unknown> = {};
      const reader = new ProtobufReader(bytes);
      message.readFields(reader, value);
      // Paths cost more than the reading: they are determined only when there is something to report.
      if (remarks !== undefined && reader.hasOddities) {
        message.readFields(new ProtobufReader(bytes, remarks), {});
      }
      return value;
    },
    *decodeInPieces(bytes, remarks) {
      const value: Record<string, unknown> = {};
      const reader = new ProtobufReader(bytes);
      yield* message.readingFields(reader, value);
      if (remarks !== undefined && reader.hasOddities)
        yield* message.readingFields(new ProtobufReader(bytes, remarks), {});
      return value;
    },
    encode(value) {
      const writer = new ProtobufWriter();
      message.writeFields(writer, value);
      return writer.finish();
    },
    write: (writer, num, value) => codec.write(writer, num, value),
    *writeInPieces(writer, num, value) {
      const start = writer.open(num);
      yield* message.writingFields(writer, value, new Pace());
      writer.close(start);
    },
  };
}
