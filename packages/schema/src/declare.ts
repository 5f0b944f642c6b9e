import type {
  Check,
  Constraints,
  Derive,
  DiscriminatedUnion,
  Field,
  ListSchema,
  MapSchema,
  Presence,
  ScalarType,
  SchemaRef,
  StructSchema,
  UnionSchema,
} from './schema.ts';

/** Everything of a field that an author writes besides its number and type. Presence defaults to `optional`. */
export interface FieldOptions extends Constraints {
  readonly doc?: string;
  readonly presence?: Presence;
  readonly nullable?: boolean;
  readonly default?: Field['default'];
  readonly protoName?: string;
  readonly openapiRequired?: boolean | { readonly since: string; readonly is: boolean };
  readonly openapiEnum?: NonNullable<Field['openapiEnum']>;
  readonly shared?: true;
  readonly granularSince?: string;
  readonly atomic?: NonNullable<Field['atomic']>;
  readonly deprecated?: string;
  readonly since?: string;
  readonly until?: string;
  readonly gate?: string;
  readonly gatedSince?: string;
  readonly validatedSince?: string;
  readonly validatedOnCreate?: NonNullable<Field['validatedOnCreate']>;
  readonly toleratesOldErrors?: true;
  readonly validatedIf?: NonNullable<Field['validatedIf']>;
  readonly nameInErrors?: string;
  readonly defaultedSince?: string;
  readonly omittedSince?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly patchShownUntil?: string;
}

type Unnamed = Omit<Field, 'name'>;

const make = (num: number, schema: SchemaRef, options: FieldOptions, rest: Partial<Field> = {}): Unnamed => ({
  num,
  schema,
  presence: 'optional',
  doc: '',
  ...options,
  ...rest,
});

const scalar =
  (type: ScalarType) =>
  (num: number, options: FieldOptions = {}): Unnamed =>
    make(num, { kind: 'scalar', type }, options);

export interface ListOptions extends FieldOptions {
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly mapKeys?: readonly string[];
}

export interface MapOptions extends FieldOptions {
  readonly mapType?: 'atomic' | 'granular';
  readonly keyFormat?: string;
}

/** Builders of fields: `f.string(1, {…})`, `f.list(2, itemSchema, {…})`. The first argument is the Protobuf number. */
export const f = {
  string: scalar('string'),
  bool: scalar('bool'),
  int32: scalar('int32'),
  int64: scalar('int64'),
  float64: scalar('float64'),
  bytes: scalar('bytes'),
  quantity: scalar('quantity'),
  intOrString: scalar('intOrString'),
  time: scalar('time'),
  microTime: scalar('microTime'),
  duration: scalar('duration'),
  object: scalar('object'),
  json: scalar('json'),
  struct: (num: number, schema: SchemaRef, options: FieldOptions = {}): Unnamed => make(num, schema, options),
  /** The fields of the struct appear as fields of the parent in JSON, as one message in Protobuf. */
  inline: (num: number, schema: SchemaRef, options: FieldOptions = {}): Unnamed =>
    make(num, schema, options, { inline: true, presence: 'always' }),
  list: (num: number, items: SchemaRef, { listType, mapKeys, ...options }: ListOptions = {}): Unnamed => {
    const list: ListSchema = {
      kind: 'list',
      items,
      ...(listType === undefined ? {} : { listType }),
      ...(mapKeys === undefined ? {} : { mapKeys }),
      ...(options.patchStrategy === undefined ? {} : { patchStrategy: options.patchStrategy }),
      ...(options.patchMergeKey === undefined ? {} : { patchMergeKey: options.patchMergeKey }),
    };
    return make(num, list, options);
  },
  map: (num: number, values: SchemaRef, { mapType, keyFormat, ...options }: MapOptions = {}): Unnamed => {
    const map: MapSchema = {
      kind: 'map',
      values,
      ...(mapType === undefined ? {} : { mapType }),
      ...(keyFormat === undefined ? {} : { keyFormat }),
    };
    return make(num, map, options);
  },
} as const;

/** Scalars as item schemas of lists and maps. */
export const items = {
  string: { kind: 'scalar', type: 'string' },
  int32: { kind: 'scalar', type: 'int32' },
  int64: { kind: 'scalar', type: 'int64' },
  bool: { kind: 'scalar', type: 'bool' },
  float64: { kind: 'scalar', type: 'float64' },
  bytes: { kind: 'scalar', type: 'bytes' },
  quantity: { kind: 'scalar', type: 'quantity' },
  intOrString: { kind: 'scalar', type: 'intOrString' },
  time: { kind: 'scalar', type: 'time' },
  microTime: { kind: 'scalar', type: 'microTime' },
  object: { kind: 'scalar', type: 'object' },
  json: { kind: 'scalar', type: 'json' },
} as const;

export interface StructOptions {
  readonly typeMeta?: boolean;
  readonly holdsCredentials?: true;
  readonly embeddedAs?: { readonly kind: string; readonly apiVersion: string };
  readonly mapType?: 'atomic' | 'granular';
  readonly mapTypeSince?: string;
  readonly formerly?: { readonly before: string; readonly schema: StructSchema };
  readonly unions?: readonly DiscriminatedUnion[];
  readonly checks?: readonly Check[];
  readonly derive?: Derive;
}

/** Declares a struct; the order of `fields` is its JSON order. */
export function struct(
  name: string,
  doc: string,
  fields: Readonly<Record<string, Unnamed>>,
  options: StructOptions = {},
): StructSchema {
  return {
    kind: 'struct',
    name,
    doc,
    fields: Object.entries(fields).map(
      ([key, field]) => ({ ...field, name: field.inline ? '' : key }) as Field,
    ),
    ...options,
  };
}

/** Declares a value that has one of several variants in JSON. */
export const union = (
  name: string,
  doc: string,
  variants: Pick<UnionSchema, 'object' | 'list' | 'bool'>,
): UnionSchema => ({
  kind: 'union',
  name,
  doc,
  ...variants,
});
