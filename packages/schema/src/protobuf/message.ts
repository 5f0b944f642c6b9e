import {
  isJsonObject,
  type JsonObject,
  type MutableJsonObject,
  type Names,
  setMember,
} from '@orch/machinery';
import { sortBytewise } from '../codec/collections.ts';
import type { CodecOptions } from '../codec.ts';
import { type Field, resolveRef, type Schema, type StructSchema } from '../schema.ts';
import { ProtobufError } from './protobuf-error.ts';
import type { ProtobufReader } from './reader.ts';
import { type Form, readMessage } from './wire-codec.ts';
import type { ProtobufWriter } from './writer.ts';

/** One field of a message. */
interface Member {
  readonly num: number;
  /** It stands once in a message; a second one is merged with it, or replaces it. */
  readonly isSingle: boolean;
  read(reader: ProtobufReader, wireType: number, target: MutableJsonObject): void;
  write(writer: ProtobufWriter, value: JsonObject): void;
  /** Where in `target` the field stands that is being read, as part of a path. */
  segment(target: JsonObject): string;
}

/** The message of a struct. */
export interface Message {
  /** Reads fields up to the end of the current message into `target`, which may hold earlier ones. */
  readFields(reader: ProtobufReader, target: MutableJsonObject): void;
  /** Writes all fields in ascending order of their numbers (facts: protoEncoding). */
  writeFields(writer: ProtobufWriter, value: JsonObject): void;
}

/** What members need of the rest of the schema. */
export interface MessageContext {
  readonly names: Names;
  readonly includes: CodecOptions['includes'];
  readonly quiet: CodecOptions['quiet'];
  /** The form of free-form objects. */
  readonly objects: Form;
  formOf(schema: Schema): Form;
  messageOf(schema: StructSchema): Message;
}

const nothing: JsonObject = Object.freeze({});

/** Protobuf writes what Go keeps as a value even when it is zero; what it keeps as a pointer only when it is set. */
function isAlwaysWritten(field: Field, schema: Schema): boolean {
  if (field.presence === 'pointer' || field.nullable === true) return false;
  if (field.presence === 'always') return schema.kind !== 'scalar' || schema.type !== 'bytes';
  return schema.kind === 'scalar' && plainScalars.has(schema.type);
}

/** Scalars that are no messages: those of presence `optional` are values too. */
const plainScalars: ReadonlySet<string> = new Set(['string', 'bool', 'int32', 'int64', 'float64']);

/** Whether a value says nothing, as writers write members that nobody has set. */
const isNothing = (value: unknown, { zero }: Form): boolean =>
  value === zero || (isJsonObject(value) && Object.keys(value).length === 0);

interface Single {
  readonly form: Form;
  /** Written even when it is not there. */
  readonly always: boolean;
  /** Others write it even when nobody has set it, and the release lacks it: without a value it says nothing. */
  readonly dropsZero: boolean;
}

function singleMember(field: Field, name: string, { form, always, dropsZero }: Single): Member {
  const { num } = field;
  return {
    num,
    isSingle: true,
    segment: () => `.${name}`,
    read(reader, wireType, target) {
      reader.expect(wireType, form.wireType);
      const value = form.read(reader, target[name]);
      if (!dropsZero || !isNothing(value, form)) target[name] = value;
    },
    write(writer, struct) {
      const value = struct[name];
      if (value !== undefined && value !== null) form.write(writer, num, value);
      else if (always) form.write(writer, num, form.zero);
    },
  };
}

function listMember({ num }: Field, name: string, form: Form): Member {
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
      if (wireType !== 2 || form.wireType === 2) {
        reader.expect(wireType, form.wireType);
        list.push(form.read(reader, undefined));
        return;
      }
      // Numbers may come packed: one field with all of them.
      const outer = reader.enter();
      while (reader.more()) list.push(form.read(reader, undefined));
      reader.leave(outer);
    },
    write(writer, struct) {
      const list = struct[name];
      if (!Array.isArray(list)) return;
      for (const item of list) form.write(writer, num, item ?? form.zero);
    },
  };
}

function mapMember({ num }: Field, name: string, form: Form): Member {
  return {
    num,
    isSingle: false,
    segment: () => `.${name}`,
    read(reader, wireType, target) {
      reader.expect(wireType, 2);
      const map = isJsonObject(target[name]) ? target[name] : {};
      target[name] = map;
      let key = '';
      let value = form.zero;
      try {
        readMessage(reader, (part, partWireType) => {
          if (part !== 1 && part !== 2) return false;
          reader.expect(partWireType, part === 1 ? 2 : form.wireType);
          if (part === 1) key = reader.string();
          else value = form.read(reader, undefined);
          return true;
        });
      } catch (error) {
        throw error instanceof ProtobufError ? error.within(`[${key}]`) : error;
      }
      if (Object.hasOwn(map, key)) reader.repeated(`[${key}]`);
      setMember(map, key, value);
    },
    write(writer, struct) {
      const map = struct[name];
      if (!isJsonObject(map)) return;
      for (const key of sortBytewise(Object.keys(map))) {
        const start = writer.open(num);
        writer.string(1, key);
        form.write(writer, 2, map[key] ?? form.zero);
        writer.close(start);
      }
    },
  };
}

/** A struct whose members are those of its parent in JSON, and a message of their own in Protobuf. */
function inlineMember({ num }: Field, message: Message): Member {
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

function memberOf(field: Field, context: MessageContext): Member | undefined {
  if (context.includes !== undefined && !context.includes(field)) return undefined;
  const schema = resolveRef(field.schema);
  if (field.inline === true) {
    if (schema.kind !== 'struct') throw new TypeError('only structs can be inlined');
    return inlineMember(field, context.messageOf(schema));
  }
  const name = context.names.field(field.name);
  if (name === '' || name === '__proto__') return undefined;
  switch (schema.kind) {
    case 'list':
      if (schema.protoWrapped === true) break;
      return listMember(field, name, context.formOf(resolveRef(schema.items)));
    case 'map':
      return mapMember(field, name, context.formOf(resolveRef(schema.values)));
    default:
  }
  const isUnserved = context.quiet?.(field) === true;
  const isWritten = isAlwaysWritten(field, schema);
  return singleMember(field, name, {
    form: context.formOf(schema),
    always: isWritten && !isUnserved,
    dropsZero: isWritten && isUnserved,
  });
}

/** Reads a member and tells its path to the reader. */
function readWatched(
  reader: ProtobufReader,
  member: Member,
  seen: Set<Member>,
  { wireType, target }: { readonly wireType: number; readonly target: MutableJsonObject },
): void {
  const segment = member.segment(target);
  if (member.isSingle && seen.has(member)) reader.repeated(segment);
  seen.add(member);
  reader.within(segment, () => member.read(reader, wireType, target));
}

/** The message of a struct. Members are made on first use, so that schemas may refer to each other. */
export function structMessage(schema: StructSchema, context: MessageContext): Message {
  let plan: { readonly ascending: readonly Member[]; readonly byNumber: readonly Member[] } | undefined;
  const makePlan = () => {
    const members = schema.fields
      .map((field) => memberOf(field, context))
      .filter((member) => member !== undefined);
    const byNumber: Member[] = [];
    for (const member of members) byNumber[member.num] = member;
    return { ascending: members.sort((a, b) => a.num - b.num), byNumber };
  };
  return {
    readFields(reader, target) {
      plan ??= makePlan();
      const { byNumber } = plan;
      const seen = reader.tellsPaths ? new Set<Member>() : undefined;
      let member: Member | undefined;
      let last = 0;
      try {
        while (reader.more()) {
          const tag = reader.tag();
          member = byNumber[tag >>> 3];
          if (member === undefined) {
            reader.skip(tag);
            continue;
          }
          // Fields come in the order of their numbers, unless a writer is odd: only then one may stand twice.
          if (member.num <= last && (member.isSingle || member.num < last)) reader.outOfOrder();
          last = member.num;
          if (seen === undefined) member.read(reader, tag & 7, target);
          else readWatched(reader, member, seen, { wireType: tag & 7, target });
          member = undefined;
        }
      } catch (error) {
        if (error instanceof ProtobufError && member !== undefined) error.within(member.segment(target));
        throw error;
      }
    },
    writeFields(writer, value) {
      plan ??= makePlan();
      for (const member of plan.ascending) member.write(writer, value);
    },
  };
}

/** A struct as the value of a field; `embeddedAs` as in `StructSchema`. */
export function structForm(message: Message, embeddedAs?: StructSchema['embeddedAs']): Form {
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
