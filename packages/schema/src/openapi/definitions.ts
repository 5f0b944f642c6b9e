import type { Names } from '@orch/machinery';
import { shapeOf } from '../codec/members.ts';
import type { CodecOptions } from '../codec.ts';
import {
  type Field,
  type ListSchema,
  type MapSchema,
  resolveRef,
  type ScalarType,
  type Schema,
  type StructSchema,
} from '../schema.ts';
import type { OpenApiKind } from './input.ts';

/** A JSON Schema object as it goes into a document. */
export interface JsonSchema {
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  enum?: readonly string[];
  default?: unknown;
  items?: JsonSchema;
  additionalProperties?: JsonSchema;
  required?: readonly string[];
  properties?: Record<string, JsonSchema>;
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  /** `x-…` */
  [extension: `x-${string}`]: unknown;
}

/** The two document versions say a few things differently. */
export type Dialect = 'v2' | 'v3';

/** Scalars that are definitions of their own, by neutral schema name. */
const named: Partial<Record<ScalarType, string>> = {
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'meta.v1.Time',
  microTime: 'meta.v1.MicroTime',
  duration: 'meta.v1.Duration',
};

const inline: Readonly<Record<ScalarType, JsonSchema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  quantity: { type: 'string' },
  intOrString: { type: 'string', format: 'int-or-string' },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  duration: { type: 'string' },
  object: { type: 'object' },
  json: {},
};

const docs: Partial<Record<ScalarType, string>> = {
  quantity: 'A number with an optional unit: 500m, 2Gi, 1.5, 10k.',
  intOrString: 'A whole number, or a string such as a name or a percentage.',
  time: 'A point in time in RFC 3339, to the second.',
  microTime: 'A point in time in RFC 3339, to the microsecond.',
  duration: 'A span of time such as 1h30m or 500ms.',
};

const eitherNumber: Partial<Record<ScalarType, JsonSchema>> = {
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
};

function scalarDefinition(type: ScalarType, dialect: Dialect): JsonSchema {
  const shape = dialect === 'v3' ? (eitherNumber[type] ?? inline[type]) : inline[type];
  return { description: docs[type] ?? '', ...shape };
}

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Makes the definitions that a document needs: those of the roots and of everything they refer to. */
export class DefinitionSet {
  readonly #names: Names;
  readonly #dialect: Dialect;
  readonly #options: CodecOptions;
  readonly #definitions = new Map<string, JsonSchema>();
  readonly #sources = new Map<string, StructSchema>();

  constructor(names: Names, dialect: Dialect, options: CodecOptions = {}) {
    this.#names = names;
    this.#dialect = dialect;
    this.#options = options;
  }

  /** A reference to a definition. */
  ref(name: string): JsonSchema {
    return { $ref: this.#dialect === 'v2' ? `#/definitions/${name}` : `#/components/schemas/${name}` };
  }

  withDescription(value: JsonSchema, description: string): JsonSchema {
    // Version 3 ignores what stands beside a reference; readers of version 2 look for descriptions there.
    const target = value.$ref !== undefined && this.#dialect === 'v3' ? { allOf: [value] } : value;
    return description === '' ? target : { description, ...target };
  }

  /** Adds a struct and what it refers to; answers its definition name. */
  add(schema: StructSchema): string {
    const name = this.#names.definitionName(schema.name);
    const known = this.#sources.get(name);
    if (known !== undefined) {
      if (known !== schema) throw new TypeError(`two schemas are called ${schema.name}`);
      return name;
    }
    // Before its members, which may refer to it again.
    this.#sources.set(name, schema);
    this.#definitions.set(name, this.#struct(schema));
    return name;
  }

  /** Adds a definition that is not made from a schema. */
  put(name: string, definition: JsonSchema): void {
    this.#definitions.set(name, definition);
  }

  /** Says which kinds a definition is the schema of. */
  addKind(name: string, { group, kind, version }: OpenApiKind): void {
    const definition = this.#definitions.get(name);
    if (definition === undefined) return;
    const extension = this.#names.schemaExtensions.groupVersionKind as `x-${string}`;
    const kinds = (definition[extension] ?? []) as readonly OpenApiKind[];
    const same = (k: OpenApiKind) => k.group === group && k.kind === kind && k.version === version;
    if (!kinds.some(same)) definition[extension] = [...kinds, { group, kind, version }];
  }

  /** By name, in bytewise order. */
  toJSON(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #struct(schema: StructSchema): JsonSchema {
    const { members } = shapeOf(schema, this.#names, this.#options);
    const properties: Record<string, JsonSchema> = {};
    for (const { name, field } of members) properties[name] = this.#property(field);
    const required = members.filter(({ field }) => isRequired(field)).map(({ name }) => name);
    const sorted = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      ...(schema.doc === '' ? {} : { description: schema.doc }),
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      ...(sorted.length > 0 ? { properties: Object.fromEntries(sorted) } : {}),
      ...this.#mapType(schema),
    };
  }

  #property(field: Field): JsonSchema {
    const schema = resolveRef(field.schema);
    const value = this.#value(schema, field);
    const extensions = this.#extensions(field, schema);
    const literal = this.#dialect === 'v3' && isScalar(field.default) ? { default: field.default } : {};
    return { ...this.withDescription(value, field.doc), ...literal, ...extensions };
  }

  #value(schema: Schema, field: Field): JsonSchema {
    switch (schema.kind) {
      case 'scalar': {
        const type = this.#scalar(schema.type);
        return schema.type === 'string' && field.enum !== undefined ? { ...type, enum: field.enum } : type;
      }
      case 'struct':
        return this.ref(this.add(schema));
      case 'list':
        return { type: 'array', items: this.#value(resolveRef(schema.items), field) };
      case 'map':
        return { type: 'object', additionalProperties: this.#value(resolveRef(schema.values), field) };
    }
  }

  #scalar(type: ScalarType): JsonSchema {
    const own = named[type];
    if (own === undefined) return { ...inline[type] };
    const name = this.#names.definitionName(own);
    if (!this.#definitions.has(name)) this.#definitions.set(name, scalarDefinition(type, this.#dialect));
    return this.ref(name);
  }

  #mapType({ mapType }: StructSchema | MapSchema): JsonSchema {
    return mapType === undefined ? {} : { [this.#names.schemaExtensions.mapType as `x-${string}`]: mapType };
  }

  #extensions(field: Field, schema: Schema): JsonSchema {
    const { listMapKeys, listType, patchMergeKey, patchStrategy } = this.#names.schemaExtensions;
    const extensions: Record<string, unknown> = {};
    const list: Partial<ListSchema> = schema.kind === 'list' ? schema : {};
    if (list.mapKeys !== undefined)
      extensions[listMapKeys] = list.mapKeys.map((key) => this.#names.field(key));
    if (list.listType !== undefined) extensions[listType] = list.listType;
    const mergeKey = field.patchMergeKey ?? list.patchMergeKey;
    if (mergeKey !== undefined) extensions[patchMergeKey] = this.#names.field(mergeKey);
    const strategy = field.patchStrategy ?? list.patchStrategy;
    if (strategy !== undefined) extensions[patchStrategy] = strategy;
    return { ...extensions, ...(schema.kind === 'map' ? this.#mapType(schema) : {}) } as JsonSchema;
  }
}

/** Whether clients must send a member: those that are always written, unless the declaration says otherwise. */
function isRequired(field: Field): boolean {
  if (field.openapiRequired !== undefined) return field.openapiRequired;
  if (field.presence !== 'always' || field.nullable === true) return false;
  const schema = resolveRef(field.schema);
  if (schema.kind === 'struct') return false;
  return schema.kind !== 'scalar' || (schema.type !== 'time' && schema.type !== 'microTime');
}
