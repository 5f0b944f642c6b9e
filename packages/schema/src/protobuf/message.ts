import type { Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { isJsonObject, type MutableJsonObject } from '@orch/machinery/json';
import type { CodecOptions } from '../codec.ts';
import { type Field, resolveRef, type Schema, type StructSchema } from '../schema.ts';
import { ProtobufError } from './protobuf-error.ts';
import type { ProtobufReader } from './reader.ts';
import type { WireCodec } from './wire-codec.ts';
import {
  inlineField,
  listField,
  type Message,
  mapField,
  nothing,
  type ReadingField,
  singleField,
  type WireField,
} from './wire-field.ts';

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

/** Protobuf writes fields that are values in Go even when they are zero, and pointers only when they are set. */
function isAlwaysWritten(field: Field, schema: Schema): boolean {
  if (field.presence === 'pointer' || field.nullable === true) return false;
  if (field.presence === 'always') return schema.kind !== 'scalar' || schema.type !== 'bytes';
  return schema.kind === 'scalar' && plainScalars.has(schema.type);
}

/** Scalars that are not messages: those of presence `optional` are values too. */
const plainScalars: ReadonlySet<string> = new Set(['string', 'bool', 'int32', 'int64', 'float64']);

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

/** Like `readWatched`, of a long value. */
function* readingWatched(
  reader: ProtobufReader,
  wireField: WireField,
  seen: Set<WireField>,
  { reading, target }: { readonly reading: ReadingField; readonly target: MutableJsonObject },
): Work<void> {
  const segment = wireField.segment(target);
  if (wireField.isSingle && seen.has(wireField)) reader.repeated(segment);
  seen.add(wireField);
  yield* reader.withinInPieces(segment, reading(reader, target));
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
    *readingFields(reader, target) {
      plan ??= makePlan();
      const { byNumber } = plan;
      const seen = reader.tellsPaths ? new Set<WireField>() : undefined;
      let wireField: WireField | undefined;
      let last = 0;
      try {
        while (reader.more()) {
          if (reader.isDue()) yield;
          const tag = reader.tag();
          wireField = byNumber[tag >>> 3];
          if (wireField === undefined) {
            reader.skip(tag);
            continue;
          }
          if (wireField.num <= last && (wireField.isSingle || wireField.num < last)) reader.outOfOrder();
          last = wireField.num;
          const wireType = tag & 7;
          const reading = wireType === 2 && reader.isLong() ? wireField.reading : undefined;
          if (reading === undefined) {
            if (seen === undefined) wireField.read(reader, wireType, target);
            else readWatched(reader, wireField, seen, { wireType, target });
          } else if (seen === undefined) yield* reading(reader, target);
          else yield* readingWatched(reader, wireField, seen, { reading, target });
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
    *writingFields(writer, value, pace) {
      plan ??= makePlan();
      for (const wireField of plan.ascending) yield* wireField.writing(writer, value, pace);
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
    *reading(reader, before) {
      const target: MutableJsonObject = isJsonObject(before) ? before : { ...embeddedAs };
      const outer = reader.enter();
      yield* message.readingFields(reader, target);
      reader.leave(outer);
      return target;
    },
    write(writer, num, value) {
      const start = writer.open(num);
      message.writeFields(writer, isJsonObject(value) ? value : nothing);
      writer.close(start);
    },
    *writing(writer, num, { value, pace }) {
      const start = writer.open(num);
      yield* message.writingFields(writer, isJsonObject(value) ? value : nothing, pace);
      writer.close(start);
    },
  };
}
