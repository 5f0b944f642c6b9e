import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { widgetApi } from '../testing/widget-api.ts';
import { openApi } from './documents.ts';

/**
 * An independent reader of the Protobuf form: it knows the field numbers of the public definitions and nothing of the
 * writer, and turns the bytes back into the JSON document.
 */
type Fields = ReadonlyMap<number, readonly (Buffer | number)[]>;

function fieldsOf(bytes: Buffer): Fields {
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
    else {
      assert.equal(tag & 7, 2);
      const size = varint();
      assert.ok(at + size <= bytes.length);
      list.push(bytes.subarray(at, at + size));
      at += size;
    }
  }
  return fields;
}

type Read = (values: readonly (Buffer | number)[]) => unknown;

const first =
  (read: (bytes: Buffer) => unknown): Read =>
  ([value]) =>
    read(value as Buffer);
const each =
  (read: (bytes: Buffer) => unknown): Read =>
  (values) =>
    values.map((value) => read(value as Buffer));
const text = first(String);
const texts = each(String);
const bool: Read = ([value]) => value === 1;
const only = (bytes: Buffer, field: number): Buffer => {
  const fields = fieldsOf(bytes);
  assert.deepEqual([...fields.keys()], [field]);
  return fields.get(field)?.[0] as Buffer;
};
const within =
  (path: readonly number[], read: (bytes: Buffer) => unknown) =>
  (bytes: Buffer): unknown =>
    read(path.reduce(only, bytes));
const any = (bytes: Buffer): unknown => JSON.parse(String(only(bytes, 2)));

/** Entries with a name in field 1 and a value in field 2. */
const named = (values: readonly (Buffer | number)[], read: (bytes: Buffer) => unknown): [string, unknown][] =>
  values.map((value) => {
    const entry = fieldsOf(value as Buffer);
    return [String(entry.get(1)?.[0]), read(entry.get(2)?.[0] as Buffer)];
  });

/** Reads a message by a table of its fields; `extensions` become members of their own. */
function message(members: Readonly<Record<number, readonly [string, Read]>>, extensions?: number) {
  return (bytes: Buffer): unknown => {
    const entries: [string, unknown][] = [];
    for (const [number, values] of fieldsOf(bytes)) {
      if (number === extensions) {
        entries.push(...named(values, any));
        continue;
      }
      const member = members[number];
      assert.ok(member !== undefined, `unexpected field ${number}`);
      entries.push([member[0], member[1](values)]);
    }
    return Object.fromEntries(entries);
  };
}

const mapOf =
  (entryField: number, read: (bytes: Buffer) => unknown) =>
  (bytes: Buffer): unknown =>
    Object.fromEntries(named(fieldsOf(bytes).get(entryField) ?? [], read));

const schema: (bytes: Buffer) => unknown = message(
  {
    1: ['$ref', text],
    2: ['format', text],
    4: ['description', text],
    19: ['required', texts],
    20: ['enum', each(any)],
    21: ['additionalProperties', first(within([1], (b) => schema(b)))],
    22: ['type', first(within([1], String))],
    23: ['items', first(within([1], (b) => schema(b)))],
    25: ['properties', first(mapOf(1, (b) => schema(b)))],
  },
  31,
);

const body = message({
  2: ['name', text],
  3: ['in', text],
  4: ['required', bool],
  5: ['schema', first(schema)],
});
const query = message({
  2: ['in', text],
  3: ['description', text],
  4: ['name', text],
  6: ['type', text],
  20: ['uniqueItems', bool],
});
const path = message({
  1: ['required', bool],
  2: ['in', text],
  3: ['description', text],
  4: ['name', text],
  5: ['type', text],
});

/** ParametersItem.parameter, then one of the two, then the message of the place. */
function parameter(bytes: Buffer): unknown {
  const fields = fieldsOf(only(bytes, 1));
  if (fields.has(1)) return body(fields.get(1)?.[0] as Buffer);
  const place = fieldsOf(fields.get(2)?.[0] as Buffer);
  return place.has(3) ? query(place.get(3)?.[0] as Buffer) : path(place.get(4)?.[0] as Buffer);
}

const response = message({ 1: ['description', text], 2: ['schema', first(within([1], schema))] });
const operation = message(
  {
    1: ['tags', texts],
    3: ['description', text],
    5: ['operationId', text],
    6: ['produces', texts],
    7: ['consumes', texts],
    8: ['parameters', each(parameter)],
    9: ['responses', first(mapOf(1, within([1], response)))],
    10: ['schemes', texts],
  },
  13,
);
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
const pathItem = message({
  ...Object.fromEntries(methods.map((method, i) => [i + 2, [method, first(operation)] as const])),
  9: ['parameters', each(parameter)],
});

const document = message({
  1: ['swagger', text],
  2: ['info', first(message({ 1: ['title', text], 2: ['version', text] }))],
  8: ['paths', first(mapOf(2, pathItem))],
  9: ['definitions', first(mapOf(1, schema))],
  12: ['security', each(mapOf(1, (b) => fieldsOf(b).get(1)?.map(String) ?? []))],
  13: [
    'securityDefinitions',
    first(
      mapOf(
        1,
        within(
          [2],
          message({ 1: ['type', text], 2: ['name', text], 3: ['in', text], 4: ['description', text] }),
        ),
      ),
    ),
  ],
});

describe('the Protobuf form of version 2', () => {
  it('says the same as the JSON form', () => {
    const api = openApi(widgetApi());
    assert.deepEqual(document(api.v2Protobuf().body), JSON.parse(String(api.v2Json().body)));
  });
});
