import type { Names } from '@orch/machinery';
import type { CodecOptions } from '../codec.ts';
import { memoised } from '../projection.ts';
import { resolveRef, type Schema, type StructSchema } from '../schema.ts';
import type { Form } from './form.ts';
import { type Message, type MessageContext, structForm, structMessage } from './message.ts';
import { ProtobufReader } from './reader.ts';
import { scalarForms } from './scalar-forms.ts';
import { wrappedListForm } from './wrapped-list.ts';
import { ProtobufWriter } from './writer.ts';

/** The Protobuf message of one kind in one version, for one naming (spec 2.7, 4.7; facts: protoEncoding). */
export interface ProtobufCodec {
  /**
   * Reads the bytes of a message, untrusted, as the JSON value that stands for it: input for `Codec.decode`, which knows
   * the rules of presence, types and defaults. Kind and apiVersion are not part of a message. Unknown fields are
   * skipped. Throws a `ProtobufError` for bytes that are no such message; bounded by the size of its input.
   */
  decode(bytes: Buffer): Record<string, unknown>;
  /** Writes a value that `Codec.decode` returned, in canonical form. Kind and apiVersion are left out. */
  encode(value: Readonly<Record<string, unknown>>): Buffer;
  /** As `encode`, as field `num` of the message that `writer` writes. */
  write(writer: ProtobufWriter, num: number, value: Readonly<Record<string, unknown>>): void;
}

/** Compiles one schema after another, sharing what they share. */
export interface ProtobufCompiler {
  compile(schema: StructSchema): ProtobufCodec;
}

/** A compiler of Protobuf codecs for one naming and one emulated release: what the release lacks is unknown. */
export function protobufCompiler(names: Names, options: CodecOptions = {}): ProtobufCompiler {
  const messageOf = memoised<Message, StructSchema>({
    name: 'protobuf message',
    build: (schema) => structMessage(schema, context),
  });
  const formOf = memoised<Form>({ name: 'protobuf form', build: (schema) => buildForm(schema, context) });
  const context: MessageContext = { names, includes: options.includes, formOf, messageOf };
  return {
    compile: memoised<ProtobufCodec, StructSchema>({
      name: 'protobuf codec',
      build: (schema) => codecOf(messageOf(schema)),
    }),
  };
}

/** The codec of one schema. Prefer one `protobufCompiler` where several kinds are compiled. */
export const protobufCodec = (
  schema: StructSchema,
  names: Names,
  options: CodecOptions = {},
): ProtobufCodec => protobufCompiler(names, options).compile(schema);

function buildForm(schema: Schema, context: MessageContext): Form {
  switch (schema.kind) {
    case 'scalar':
      return scalarForms[schema.type];
    case 'struct':
      return structForm(context.messageOf(schema));
    case 'list':
      return wrappedListForm(() => context.formOf(resolveRef(schema.items)));
    case 'map':
      throw new TypeError('a map within a map or list has no Protobuf form');
  }
}

function codecOf(message: Message): ProtobufCodec {
  const form = structForm(message);
  return {
    decode(bytes) {
      const value: Record<string, unknown> = {};
      message.readFields(new ProtobufReader(bytes), value);
      return value;
    },
    encode(value) {
      const writer = new ProtobufWriter();
      message.writeFields(writer, value);
      return writer.finish();
    },
    write: (writer, num, value) => form.write(writer, num, value),
  };
}
