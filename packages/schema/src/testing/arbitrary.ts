import { numberFromText } from '@orch/machinery/json';
import fc from 'fast-check';
import { type Field, resolveRef, type ScalarType, type Schema, type StructSchema } from '../schema.ts';

/** The value as JSON text represents it, which has no negative zero. */
const asText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const names = fc.constantFrom(
  'a',
  'b',
  'app.example.com/name',
  'key',
  '10',
  '9',
  '__proto__',
  '\u{1f600}',
  '\uff5e',
);

const scalars: Readonly<Record<ScalarType, fc.Arbitrary<unknown>>> = {
  string: fc.oneof(fc.constantFrom('', 'a', 'Fast', 'Slow', 'TCP', 'name'), fc.string()),
  bool: fc.boolean(),
  int32: fc.oneof(fc.constantFrom(0, -0, 1, 80, 2 ** 31 - 1), fc.integer()),
  int64: fc.oneof(
    fc.maxSafeInteger(),
    fc.constantFrom('9007199254740993', '-9223372036854775808').map(numberFromText),
  ),
  float64: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bytes: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  quantity: fc.oneof(fc.constantFrom('100m', '1024Mi', '1.5', '0', '1e3', '12Gi'), fc.nat()),
  intOrString: fc.oneof(fc.nat(65535), fc.constantFrom('http', '50%', '')),
  time: fc.constantFrom('2024-01-01T00:00:00Z', '2024-02-29T23:59:59.5-07:00', '0001-01-01T00:00:00Z'),
  microTime: fc.constantFrom('2024-01-01T00:00:00.000001Z', '2024-02-29T23:59:59.500000-07:00'),
  duration: fc.constantFrom('0', '90s', '1h30m', '-5ms'),
  object: fc.object({ maxDepth: 2, maxKeys: 3, values: [fc.string(), fc.integer(), fc.constant(null)] }),
  json: fc.jsonValue({ maxDepth: 2 }).map(asText),
};

/** The fields of a struct in JSON: those of inlined structs are its own. */
function fieldsOf(schema: StructSchema): readonly Field[] {
  return schema.fields.flatMap((field) => {
    const inner = resolveRef(field.schema);
    return field.inline === true && inner.kind === 'struct' ? fieldsOf(inner) : [field];
  });
}

/** A list that is there and empty: JSON distinguishes it from an absent one, Protobuf does not, and validation refuses such lists. */
const hasNoProtobuf = ({ presence }: Field, value: unknown): boolean =>
  presence === 'pointer' && Array.isArray(value) && value.length === 0;

/** Embedded objects have their kind and API version. */
function arbitraryItem(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const input = arbitraryInput(schema, depth);
  if (schema.kind !== 'struct' || schema.embeddedAs === undefined) return input;
  const { embeddedAs } = schema;
  return input.map((item) => ({ ...(item as object), ...embeddedAs }));
}

/** Input of the right types for a schema, fields missing and in any order, depth bounded. */
export function arbitraryInput(schema: Schema, depth = 4): fc.Arbitrary<unknown> {
  switch (schema.kind) {
    case 'scalar':
      return scalars[schema.type];
    case 'list':
      return fc.array(depth === 0 ? fc.constant(null) : arbitraryItem(resolveRef(schema.items), depth - 1), {
        maxLength: depth === 0 ? 0 : 3,
      });
    case 'map':
      return fc.dictionary(names, arbitraryInput(resolveRef(schema.values), Math.max(0, depth - 1)), {
        maxKeys: 3,
      });
    case 'union': {
      const { object, list, bool } = schema;
      const variants = [
        ...(bool === undefined ? [] : [fc.boolean()]),
        ...(object?.schema === undefined ? [] : [arbitraryInput(resolveRef(object.schema), depth - 1)]),
        ...(list?.schema === undefined || depth <= 0
          ? []
          : [fc.array(arbitraryInput(resolveRef(list.schema), depth - 1), { minLength: 1, maxLength: 2 })]),
      ];
      return fc.oneof(...variants);
    }
    case 'struct': {
      const fields = depth > 0 ? fieldsOf(schema) : [];
      const values = fields.map((field) =>
        fc
          .option(arbitraryInput(resolveRef(field.schema), depth - 1), { freq: 2, nil: undefined })
          .map((value) => (hasNoProtobuf(field, value) ? undefined : value)),
      );
      return fc
        .tuple(fc.tuple(...values), fc.shuffledSubarray(fields.map((_, i) => i)))
        .map(([list, order]) =>
          Object.fromEntries(order.map((i) => [fields[i]?.name ?? '', list[i] ?? null])),
        );
    }
  }
}
