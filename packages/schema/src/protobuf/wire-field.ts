import type { Pace, Work } from '@orch/machinery/concurrency';
import {
  hasManyParts,
  isJsonObject,
  type JsonObject,
  type MutableJsonObject,
  setField,
} from '@orch/machinery/json';
import type { Field } from '../schema.ts';
import { sortBytewise, sortingBytewise } from '../walk/sort-bytewise.ts';
import { ProtobufError } from './protobuf-error.ts';
import type { ProtobufReader } from './reader.ts';
import { type PacedPart, readMessage, type WireCodec } from './wire-codec.ts';
import type { ProtobufWriter } from './writer.ts';

export type ReadingField = (reader: ProtobufReader, target: MutableJsonObject) => Work<void>;

/** One field of a message. */
export interface WireField {
  readonly num: number;
  /** It occurs once in a message; a second one is merged with it, or replaces it. */
  readonly isSingle: boolean;
  read(reader: ProtobufReader, wireType: number, target: MutableJsonObject): void;
  /** Like `read`, of a long value of wire type 2, in pieces; absent where values are not divided. */
  readonly reading?: ReadingField | undefined;
  write(writer: ProtobufWriter, value: JsonObject): void;
  /** Like `write`, of a value with many parts, in pieces. */
  writing(writer: ProtobufWriter, value: JsonObject, pace: Pace): Work<void>;
  /** The place in `target` of the field that is being read, as part of a path. */
  segment(target: JsonObject): string;
}

/** The message of a struct. */
export interface Message {
  /** Reads fields up to the end of the current message into `target`, which may hold earlier ones. */
  readFields(reader: ProtobufReader, target: MutableJsonObject): void;
  /** Like `readFields`, in pieces. */
  readingFields(reader: ProtobufReader, target: MutableJsonObject): Work<void>;
  /** Writes all fields in ascending order of their numbers (facts: protoEncoding). */
  writeFields(writer: ProtobufWriter, value: JsonObject): void;
  /** Like `writeFields`, in pieces. */
  writingFields(writer: ProtobufWriter, value: JsonObject, pace: Pace): Work<void>;
}

/** The value of an absent message. */
export const nothing: JsonObject = Object.freeze({});

/** Reports whether a value is the zero of its type, as writers encode unset fields. */
const isNothing = (value: unknown, { zero }: WireCodec): boolean =>
  value === zero || (isJsonObject(value) && Object.keys(value).length === 0);

interface Single {
  readonly codec: WireCodec;
  /** Written even when it is absent. */
  readonly always: boolean;
  /** Other writers encode it even when it is unset, and the release lacks it: the zero value is dropped. */
  readonly dropsZero: boolean;
}

/** A field that occurs once. */
export function singleField(field: Field, name: string, { codec, always, dropsZero }: Single): WireField {
  const { num } = field;
  const { reading } = codec;
  const write = (writer: ProtobufWriter, struct: JsonObject): void => {
    const value = struct[name];
    if (value !== undefined && value !== null) codec.write(writer, num, value);
    else if (always) codec.write(writer, num, codec.zero);
  };
  return {
    num,
    isSingle: true,
    segment: () => `.${name}`,
    read(reader, wireType, target) {
      reader.expect(wireType, codec.wireType);
      const value = codec.read(reader, target[name]);
      if (!dropsZero || !isNothing(value, codec)) target[name] = value;
    },
    reading:
      reading &&
      function* (reader, target) {
        target[name] = yield* reading(reader, target[name]);
      },
    write,
    *writing(writer, struct, pace) {
      const value = struct[name];
      if (hasManyParts(value)) yield* writingPart(codec, { writer, num }, { value, pace });
      else write(writer, struct);
    },
  };
}

/** Writes a value with many parts, in pieces where its codec divides it. */
function* writingPart(
  codec: WireCodec,
  { writer, num }: { readonly writer: ProtobufWriter; readonly num: number },
  part: PacedPart,
): Work<void> {
  if (codec.writing === undefined) codec.write(writer, num, part.value);
  else yield* codec.writing(writer, num, part);
}

/** A field for each item of a list. */
export function listField({ num }: Field, name: string, codec: WireCodec): WireField {
  const listIn = (target: MutableJsonObject): unknown[] => {
    const list = target[name];
    if (Array.isArray(list)) return list;
    const fresh: unknown[] = [];
    target[name] = fresh;
    return fresh;
  };
  const { reading } = codec;
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
    *reading(reader, target) {
      const list = listIn(target);
      if (codec.wireType === 2) {
        list.push(reading === undefined ? codec.read(reader, undefined) : yield* reading(reader, undefined));
        return;
      }
      const outer = reader.enter();
      while (reader.more()) {
        if (reader.isDue()) yield;
        list.push(codec.read(reader, undefined));
      }
      reader.leave(outer);
    },
    write(writer, struct) {
      const list = struct[name];
      if (!Array.isArray(list)) return;
      for (const item of list) codec.write(writer, num, item ?? codec.zero);
    },
    *writing(writer, struct, pace) {
      const list = struct[name];
      if (!Array.isArray(list)) return;
      for (const item of list) {
        if (pace.isDue()) yield;
        const value: unknown = item ?? codec.zero;
        if (hasManyParts(value)) yield* writingPart(codec, { writer, num }, { value, pace });
        else codec.write(writer, num, value);
      }
    },
  };
}

/** A field for each entry of a map. */
export function mapField({ num }: Field, name: string, codec: WireCodec): WireField {
  const { reading } = codec;
  const mapIn = (target: MutableJsonObject): MutableJsonObject => {
    const map = isJsonObject(target[name]) ? target[name] : {};
    target[name] = map;
    return map;
  };
  return {
    num,
    isSingle: false,
    segment: () => `.${name}`,
    reading: reading && ((reader, target) => readingEntry(reader, mapIn(target), reading)),
    read(reader, wireType, target) {
      reader.expect(wireType, 2);
      const map = mapIn(target);
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
    *writing(writer, struct, pace) {
      const map = struct[name];
      if (!isJsonObject(map)) return;
      for (const key of yield* sortingBytewise(Object.keys(map), pace)) {
        if (pace.isDue()) yield;
        const start = writer.open(num);
        writer.string(1, key);
        const value: unknown = map[key] ?? codec.zero;
        if (hasManyParts(value)) yield* writingPart(codec, { writer, num: 2 }, { value, pace });
        else codec.write(writer, 2, value);
        writer.close(start);
      }
    },
  };
}

/** Reads an entry of a map of messages, in pieces. */
function* readingEntry(
  reader: ProtobufReader,
  map: MutableJsonObject,
  reading: NonNullable<WireCodec['reading']>,
): Work<void> {
  let key = '';
  let value: unknown = nothing;
  const outer = reader.enter();
  try {
    while (reader.more()) {
      const tag = reader.tag();
      const part = tag >>> 3;
      if (part !== 1 && part !== 2) {
        reader.skip(tag);
        continue;
      }
      reader.expect(tag & 7, 2);
      if (part === 1) key = reader.string();
      else value = yield* reading(reader, undefined);
    }
  } catch (error) {
    throw error instanceof ProtobufError ? error.within(`[${key}]`) : error;
  }
  reader.leave(outer);
  if (Object.hasOwn(map, key)) reader.repeated(`[${key}]`);
  setField(map, key, value);
}

/** A struct whose fields belong to its parent in JSON, and form a separate message in Protobuf. */
export function inlineField({ num }: Field, message: Message): WireField {
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
    *reading(reader, target) {
      const outer = reader.enter();
      yield* message.readingFields(reader, target);
      reader.leave(outer);
    },
    write(writer, struct) {
      const start = writer.open(num);
      message.writeFields(writer, struct);
      writer.close(start);
    },
    *writing(writer, struct, pace) {
      const start = writer.open(num);
      yield* message.writingFields(writer, struct, pace);
      writer.close(start);
    },
  };
}
