import type { Work } from '@orch/machinery/concurrency';
import { approximateNumber } from '@orch/machinery/json';
import { ProtobufWriter } from '../../protobuf/writer.ts';
import type { JsonSchema } from '../json-schema/json-schema.ts';
import { childrenOf, visitParts } from '../json-schema/large-parts.ts';

/**
 * The Protobuf encodings of OpenAPI documents follow the public gnostic definitions. Maps are lists of named entries
 * there, values of any type are YAML text (JSON is YAML), and alternatives are messages with one field set.
 */
type Json = Readonly<Record<string, unknown>>;

/** Writes messages; some of them may be encoded already, by their JSON objects. */
class MessageWriter extends ProtobufWriter {
  readonly #encoded: ReadonlyMap<unknown, Buffer> | undefined;

  constructor(encoded?: ReadonlyMap<unknown, Buffer>) {
    super(2048);
    this.#encoded = encoded;
  }

  /** Reports whether the message of an object was encoded already: it is then written. */
  writesEncoded(value: unknown): boolean {
    const known = this.#encoded?.get(value);
    if (known === undefined) return false;
    this.append(known);
    return true;
  }
}

/** Writes the value of one JSON field into the current message. */
export type WriteField = (out: MessageWriter, value: unknown) => void;

/** The fields of a message by their JSON names. */
export interface Message {
  readonly fields: Readonly<Record<string, WriteField>>;
  /** Field of the fields whose names start with `x-`. */
  readonly extensions?: number;
}

export const asObject = (value: unknown): Json => value as Json;
export const asList = (value: unknown): readonly unknown[] => value as readonly unknown[];

export const text =
  (field: number): WriteField =>
  (out, value) =>
    out.string(field, String(value));

export const texts =
  (field: number): WriteField =>
  (out, value) => {
    for (const item of asList(value)) out.string(field, String(item));
  };

export const bool =
  (field: number): WriteField =>
  (out, value) =>
    out.bool(field, value === true);

/** Numbers that a double does not hold are rounded. */
export const double =
  (field: number): WriteField =>
  (out, value) =>
    out.double(field, approximateNumber(value) ?? 0);

export const int64 =
  (field: number): WriteField =>
  (out, value) =>
    out.int64(field, Math.trunc(approximateNumber(value) ?? 0));

/** `Any`: the value as YAML in its second field. */
export const any =
  (field: number): WriteField =>
  (out, value) =>
    out.message(field, () => out.string(2, `${JSON.stringify(value)}\n`));

export const anys =
  (field: number): WriteField =>
  (out, value) => {
    for (const item of asList(value)) any(field)(out, item);
  };

function writeMessage(out: MessageWriter, { fields, extensions }: Message, value: unknown): void {
  if (out.writesEncoded(value)) return;
  for (const [name, fieldValue] of Object.entries(asObject(value))) {
    if (fieldValue === undefined) continue;
    if (Object.hasOwn(fields, name)) fields[name]?.(out, fieldValue);
    else if (extensions !== undefined && name.startsWith('x-')) namedAny(extensions, name)(out, fieldValue);
    else throw new TypeError(`no place for ${JSON.stringify(name)} in Protobuf encoding`);
  }
}

const namedAny =
  (field: number, name: string): WriteField =>
  (out, value) =>
    out.message(field, () => {
      out.string(1, name);
      any(2)(out, value);
    });

export const message =
  (field: number, type: () => Message): WriteField =>
  (out, value) =>
    out.message(field, () => writeMessage(out, type(), value));

/** A map as entries with the name in field 1 and the value in field 2. */
export const entries =
  (entryField: number, write: WriteField): WriteField =>
  (out, value) => {
    for (const [name, entry] of Object.entries(asObject(value))) {
      out.message(entryField, () => {
        out.string(1, name);
        write(out, entry);
      });
    }
  };

/** Messages around a value: `wrapped([22, 1], write)` writes a message in field 22 whose field 1 holds the rest. */
export const wrapped = (fields: readonly number[], write: WriteField): WriteField =>
  fields.reduceRight<WriteField>(
    (inner, field) => (out, value) => out.message(field, () => inner(out, value)),
    write,
  );

/** The bytes that `write` writes. */
export function messageBytes(
  write: (out: MessageWriter) => void,
  encoded?: ReadonlyMap<unknown, Buffer>,
): Buffer {
  const out = new MessageWriter(encoded);
  write(out);
  return Buffer.from(out.finish());
}

/** As `fieldBytes`, for many fields one after another: they are written in the same memory. */
export function fieldEncoder(write: WriteField): (value: unknown) => Buffer {
  const out = new MessageWriter();
  return (value) => {
    out.clear();
    write(out, value);
    return Buffer.from(out.finish());
  };
}

/** Writes values that are the same objects many times: each is encoded once. */
export function keptBytes(write: WriteField): WriteField {
  const kept = new WeakMap<object, Buffer>();
  return (out, value) => {
    const object = asObject(value);
    const bytes = kept.get(object) ?? fieldBytes(write, value);
    kept.set(object, bytes);
    out.append(bytes);
  };
}

/** The bytes of one field, to be joined with others later. */
export const fieldBytes = (write: WriteField, value: unknown): Buffer =>
  messageBytes((out) => write(out, value));

/** As `fieldBytes` of an entry with a schema, in pieces. `message` is that of schemas. */
export function* schemaEntryInPieces(
  entry: WriteField,
  message: Message,
  { name, schema }: { readonly name: string; readonly schema: JsonSchema },
): Work<Buffer> {
  const encoded = new Map<unknown, Buffer>();
  yield* visitParts(schema, (part) => {
    if (part.$ref !== undefined) return;
    const bytes = messageBytes((out) => writeMessage(out, message, part), encoded);
    for (const child of childrenOf(part)) encoded.delete(child);
    encoded.set(part, bytes);
  });
  return messageBytes((out) => entry(out, { [name]: schema }), encoded);
}

/** Separator of fields. */
export const nothing = Buffer.alloc(0);
