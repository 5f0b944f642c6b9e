import assert from 'node:assert/strict';

/**
 * An independent reader of Protobuf encodings of OpenAPI documents: it shares no code with the writer, and converts the
 * bytes into the JSON document by the given field numbers.
 */
export type Fields = ReadonlyMap<number, readonly (Buffer | number)[]>;

export function fieldsOf(bytes: Buffer): Fields {
  const fields = new Map<number, (Buffer | number)[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('the message ends within a number');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const list = fields.get(tag >>> 3) ?? [];
    fields.set(tag >>> 3, list);
    if ((tag & 7) === 0) list.push(varint());
    else if ((tag & 7) === 1) {
      assert.ok(at + 8 <= bytes.length);
      list.push(bytes.subarray(at, at + 8));
      at += 8;
    } else {
      assert.equal(tag & 7, 2);
      const size = varint();
      assert.ok(at + size <= bytes.length);
      list.push(bytes.subarray(at, at + size));
      at += size;
    }
  }
  return fields;
}

export type Read = (values: readonly (Buffer | number)[]) => unknown;

export const first =
  (read: (bytes: Buffer) => unknown): Read =>
  ([value]) =>
    read(value as Buffer);
export const each =
  (read: (bytes: Buffer) => unknown): Read =>
  (values) =>
    values.map((value) => read(value as Buffer));
export const text = first(String);
export const texts = each(String);
export const bool: Read = ([value]) => value === 1;
export const integer: Read = ([value]) => value;
export const double: Read = ([value]) => (value as Buffer).readDoubleLE();
/** Whether anything is allowed, in field 2, or a schema in field 1. */
export const schemaOrBool = (bytes: Buffer, schema: (bytes: Buffer) => unknown): unknown => {
  const fields = fieldsOf(bytes);
  return fields.has(2) ? fields.get(2)?.[0] === 1 : schema(fields.get(1)?.[0] as Buffer);
};
export const only = (bytes: Buffer, field: number): Buffer => {
  const fields = fieldsOf(bytes);
  assert.deepEqual([...fields.keys()], [field]);
  return fields.get(field)?.[0] as Buffer;
};
export const within =
  (path: readonly number[], read: (bytes: Buffer) => unknown) =>
  (bytes: Buffer): unknown =>
    read(path.reduce(only, bytes));
export const any = (bytes: Buffer): unknown => JSON.parse(String(only(bytes, 2)));

/** Entries with a name in field 1 and a value in field 2. */
const named = (values: readonly (Buffer | number)[], read: (bytes: Buffer) => unknown): [string, unknown][] =>
  values.map((value) => {
    const entry = fieldsOf(value as Buffer);
    return [String(entry.get(1)?.[0]), read(entry.get(2)?.[0] as Buffer)];
  });

/** Reads a message by a table of its fields; `extensions` become separate fields. */
export function message(table: Readonly<Record<number, readonly [string, Read]>>, extensions?: number) {
  return (bytes: Buffer): unknown => {
    const entries: [string, unknown][] = [];
    for (const [number, values] of fieldsOf(bytes)) {
      if (number === extensions) {
        entries.push(...named(values, any));
        continue;
      }
      const entry = table[number];
      assert.ok(entry !== undefined, `unexpected field ${number}`);
      entries.push([entry[0], entry[1](values)]);
    }
    return Object.fromEntries(entries);
  };
}

export const mapOf =
  (entryField: number, read: (bytes: Buffer) => unknown) =>
  (bytes: Buffer): unknown =>
    Object.fromEntries(named(fieldsOf(bytes).get(entryField) ?? [], read));
