import { type Field, resolveRef, type ScalarType, type Schema, type StructSchema } from '../schema.ts';

/** Values that no presence rule drops. */
const scalars: Readonly<Record<ScalarType, unknown>> = {
  string: 'a',
  bool: true,
  int32: 7,
  int64: 7,
  float64: 1.5,
  bytes: 'YQ==',
  quantity: '2',
  intOrString: 8080,
  time: '2024-01-01T00:00:00Z',
  microTime: '2024-01-01T00:00:00.000001Z',
  duration: '90s',
  object: { a: { b: [1] } },
  json: { a: [true] },
};

/** Maximum nesting; deeper values are omitted. */
const MAX_DEPTH = 12;
/** Maximum number of times that a struct may be within itself. */
const MAX_NESTED = 1;
/** Fields of one object; what comes after them is left out. */
const MAX_FIELDS = 20_000;

interface Walk {
  /** The structs around the value. */
  readonly around: readonly StructSchema[];
  /** Fields that are left. */
  readonly budget: { fields: number };
}

/** A value of a schema with every field set, also those of one item of each list and map, bounded in depth and number. */
export const fullValue = (schema: Schema): unknown =>
  valueIn(schema, {}, { around: [], budget: { fields: MAX_FIELDS } });

function valueIn(schema: Schema, constraints: Pick<Field, 'enum'>, walk: Walk): unknown {
  switch (schema.kind) {
    case 'scalar':
      return constraints.enum?.find((value) => value !== '') ?? scalars[schema.type];
    case 'list': {
      const item = valueIn(resolveRef(schema.items), constraints, walk);
      return item === undefined ? undefined : [item];
    }
    case 'map': {
      const value = valueIn(resolveRef(schema.values), constraints, walk);
      return value === undefined ? undefined : { a: value };
    }
    case 'union': {
      const variant = schema.object?.schema ?? schema.list?.schema;
      return variant === undefined ? true : valueIn(resolveRef(variant), {}, walk);
    }
    case 'struct':
      return structOf(schema, walk);
  }
}

function structOf(schema: StructSchema, { around, budget }: Walk): object | undefined {
  const nested = around.filter((one) => one === schema).length;
  if (around.length >= MAX_DEPTH || nested > MAX_NESTED) return undefined;
  const below = { around: [...around, schema], budget };
  const fields = schema.fields.flatMap((field): [string, unknown][] => {
    const inner = resolveRef(field.schema);
    if (field.inline === true && inner.kind === 'struct')
      return Object.entries(structOf(inner, { around, budget }) ?? {});
    if (budget.fields-- <= 0) return [];
    const value = valueIn(inner, field, below);
    return value === undefined ? [] : [[field.name, value]];
  });
  return { ...schema.embeddedAs, ...Object.fromEntries(fields) };
}
