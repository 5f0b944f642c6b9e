import type { Names } from '@orch/machinery';
import { isJsonObject, type JsonObject, type MutableJsonObject, setField } from '@orch/machinery/json';
import type { CodecOptions } from '../codec.ts';
import { type Field, resolveRef, type Schema, type StructSchema } from '../schema.ts';
import { sortBytewise } from '../walk/sort-bytewise.ts';
import { ProtobufError } from './protobuf-error.ts';
import type { ProtobufReader } from './reader.ts';
import { readMessage, type WireCodec } from './wire-codec.ts';
import type { ProtobufWriter } from './writer.ts';

/** One field of a message. */
interface WireField {
  readonly num: number;
  /** It occurs once in a message; a second one is merged with it, or replaces it. */
  readonly isSingle: boolean;
  read(reader: ProtobufReader, wireType: number, target: MutableJsonObject): void;
  write(writer: ProtobufWriter, value: JsonObject): void;
  /** The place in `target` of the field that is being read, as part of a path. */
  segment(target: JsonObject): string;
}

/** The message of a struct. */
export interface Message {
  /** Reads fields up to the end of the current message into `target`, which may hold earlier ones. */
  readFields(reader: ProtobufReader, target: MutableJsonObject): void;
  /** Writes all fields in ascending order of their numbers (facts: protoEncoding). */
  writeFields(writer: ProtobufWriter, value: JsonObject): void;
}

/** The context of fields in the rest of the schema. */
export interface MessageContext {
  readonly names: Names;
  readonly includes: CodecOptions['includes'];
  readonly quiet: CodecOptions['quiet'];
  /** The codec of free-form objects. */
  readonly objects: WireCodec;
  codecOf(schema: Schema): WireCodec;
  messageOf(schema: StructSchema): Message;
}

const nothing: JsonObject = Object.freeze({});

/** Protobuf writes fields that are values in Go even when they are zero, and pointers only when they are set. */
function isAlwaysWritten(field: Field, schema: Schema): boolean {
  if (field.presence === 'pointer' || field.nullable === true) return false;
  if (field.presence === 'always') return schema.kind !== 'scalar' || schema.type !== 'bytes';
  return schema.kind === 'scalar' && plainScalars.has(schema.type);
}

/** Scalars that are not messages: those of presence `optional` are values too. */
const plainScalars: ReadonlySet<string> = new Set(['string', 'bool', 'int32', 'int64', 'float64']);

/** Reports whether a value is the zero of its type, as writers encode unset fields. */
const isNothing = (value: unknown, { zero }: WireCodec): boolean =>
  value === zero || (isJsonObject(value) && Object.keys(value).length === 0);

interface Single {
  readonly codec: WireCodec;
  /** Written even when it is not there. */
  readonly always: boolean;
  /** Other writers encode it even when it is unset, and the release lacks it: the zero value is dropped. */
  readonly dropsZero: boolean;
}

function singleField(field: Field, name: string, { codec, always, dropsZero }: Single): WireField {
  const { num } = field;
  return {
    num,
    isSingle: true,
    segment: () => `.${name}`,
    read(reader, wireType, target) {
      reader.expect(wireType, codec.wireType);
      const value = codec.read(reader, target[name]);
      if (!dropsZero || !isNothing(value, codec)) target[name] = value;
    },
    write(writer, struct) {
      const value = struct[name];
      if (value !== undefined && value !== null) codec.write(writer, num, value);
      else if (always) codec.write(writer, num, codec.zero);
    },
  };
}

function listField({ num }: Field, name: string, codec: WireCodec): WireField {
  const listIn = (target: MutableJsonObject): unknown[] => {
    const list = target[name];
    if (Array.isArray(list)) return list;
    const fresh: unknown[] = [];
    target[name] = fresh;
    return fresh;
  };
  return {
    num,
    isSingle: false,
    segment({ [name]: list }) {
      return `.${name}[${Array.isArray(list) ? list.length : 0}]`;
    },
    read(reader, wireType, target) {
      const list = listIn(target);
      if (wireType !== 2 || codec.wireType === 2) {
        reader.expect(wireType, codec.wireType);
        list.push(codec.read(reader, undefined));
        return;
      }
      // Numbers may come packed: one field with all of them.
      const outer = reader.enter();
      while (reader.more()) list.push(codec.read(reader, undefined));
      reader.leave(outer);
    },
    write(writer, struct) {
      const list = struct[name];
      if (!Array.isArray(list)) return;
      for (const item of list) codec.write(writer, num, item ?? codec.zero);
    },
  };
}

function mapField({ num }: Field, name: string, codec: WireCodec): WireField {
  return {
    num,
    isSingle: false,
    segment: () => `.${name}`,
    read(reader, wireType, target) {
      reader.expect(wireType, 2);
      const map = isJsonObject(target[name]) ? target[name] : {};
      target[name] = map;
      let key = '';
      let value = codec.zero;
      try {
        readMessage(reader, (part, partWireType) => {
          if (part !== 1 && part !== 2) return false;
          reader.expect(partWireType, part === 1 ? 2 : codec.wireType);
          if (part === 1) key = reader.string();
          else value = codec.read(reader, undefined);
          return true;
        });
      } catch (error) {
        throw error instanceof ProtobufError ? error.within(`[${key}]`) : error;
      }
      if (Object.hasOwn(map, key)) reader.repeated(`[${key}]`);
      setField(map, key, value);
    },
    write(writer, struct) {
      const map = struct[name];
      if (!isJsonObject(map)) return;
      for (const key of sortBytewise(Object.keys(map))) {
        const start = writer.open(num);
        writer.string(1, key);
        codec.write(writer, 2, map[key] ?? codec.zero);
        writer.close(start);
      }
    },
  };
}

/** A struct whose fields belong to its parent in JSON, and form a separate message in Protobuf. */
function inlineField({ num }: Field, message: Message): WireField {
  return {
    num,
    isSingle: true,
    segment: () => '',
    read(reader, wireType, target) {
      reader.expect(wireType, 2);
      const outer = reader.enter();
      message.readFields(reader, target);
      reader.leave(outer);
    },
    write(writer, struct) {
      const start = writer.open(num);
      message.writeFields(writer, struct);
      writer.close(start);
    },
  };
}

function wireFieldOf(field: Field, context: MessageContext): WireField | undefined {
  if (context.includes !== undefined && !context.includes(field)) return undefined;
  const schema = resolveRef(field.schema);
  if (field.inline === true) {
    if (schema.kind !== 'struct') throw new TypeError('only structs can be inlined');
    return inlineField(field, context.messageOf(schema));
  }
  const name = context.names.field(field.name);
  if (name === '' || name === '__proto__') return undefined;
  switch (schema.kind) {
    case 'list':
      if (schema.protoWrapped === true) break;
      return listField(field, name, context.codecOf(resolveRef(schema.items)));
    case 'map':
      return mapField(field, name, context.codecOf(resolveRef(schema.values)));
    default:
  }
  const isUnserved = context.quiet?.(field) === true;
  const isWritten = isAlwaysWritten(field, schema);
  return singleField(field, name, {
    codec: context.codecOf(schema),
    always: isWritten && !isUnserved,
    dropsZero: isWritten && isUnserved,
  });
}

/** Reads a field, with its path set on the reader. */
function readWatched(
  reader: ProtobufReader,
  wireField: WireField,
  seen: Set<WireField>,
  { wireType, target }: { readonly wireType: number; readonly target: MutableJsonObject },
): void {
  const segment = wireField.segment(target);
  if (wireField.isSingle && seen.has(wireField)) reader.repeated(segment);
  seen.add(wireField);
  reader.within(segment, () => wireField.read(reader, wireType, target));
}

/** The message of a struct. Fields are made on first use, so that schemas may refer to each other. */
export function structMessage(schema: StructSchema, context: MessageContext): Message {
  let plan: { readonly ascending: readonly WireField[]; readonly byNumber: readonly WireField[] } | undefined;
  const makePlan = () => {
    const fields = schema.fields
      .map((field) => wireFieldOf(field, context))
      .filter((wireField) => wireField !== undefined);
    const byNumber: WireField[] = [];
    for (const wireField of fields) byNumber[wireField.num] = wireField;
    return { ascending: fields.sort((a, b) => a.num - b.num), byNumber };
  };
  return {
    readFields(reader, target) {
      plan ??= makePlan();
      const { byNumber } = plan;
      const seen = reader.tellsPaths ? new Set<WireField>() : undefined;
      let wireField: WireField | undefined;
      let last = 0;
      try {
        while (reader.more()) {
          const tag = reader.tag();
          wireField = byNumber[tag >>> 3];
          if (wireField === undefined) {
            reader.skip(tag);
            continue;
          }
          // Most writers encode fields by ascending number: a duplicate is possible only where it does not ascend.
          if (wireField.num <= last && (wireField.isSingle || wireField.num < last)) reader.outOfOrder();
          last = wireField.num;
          if (seen === undefined) wireField.read(reader, tag & 7, target);
          else readWatched(reader, wireField, seen, { wireType: tag & 7, target });
          wireField = undefined;
        }
      } catch (error) {
        if (error instanceof ProtobufError && wireField !== undefined)
          error.within(wireField.segment(target));
        throw error;
      }
    },
    writeFields(writer, value) {
      plan ??= makePlan();
      for (const wireField of plan.ascending) wireField.write(writer, value);
    },
  };
}

/** A struct as the value of a field; `embeddedAs` as in `StructSchema`. */
export function structCodec(message: Message, embeddedAs?: StructSchema['embeddedAs']): WireCodec {
  return {
    wireType: 2,
    zero: nothing,
    read(reader, before) {
      const target: MutableJsonObject = isJsonObject(before) ? before : { ...embeddedAs };
      const outer = reader.enter();
      message.readFields(reader, target);
      reader.leave(outer);
      return target;
    },
    write(writer, num, value) {
      const start = writer.open(num);
      message.writeFields(writer, isJsonObject(value) ? value : nothing);
      writer.close(start);
    },
  };
}
