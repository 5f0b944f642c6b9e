import { findKind } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import {
  codecCompiler,
  type Field,
  protobufCompiler,
  type Schema,
  type SchemaRef,
  type StructSchema,
} from '@orch/schema';
import { largePod, podOf } from '../lib/pods.ts';
import { type Comparison, cpuMicros, importMillis, library } from './measure.ts';

/** Fields of scalars that are messages on the wire; the library does not support their JSON form. */
const messages = {
  quantity: { string: { id: 1, type: 'string' } },
  intOrString: {
    type: { id: 1, type: 'int64' },
    intVal: { id: 2, type: 'int32' },
    strVal: { id: 3, type: 'string' },
  },
  time: { seconds: { id: 1, type: 'int64' }, nanos: { id: 2, type: 'int32' } },
  microTime: { seconds: { id: 1, type: 'int64' }, nanos: { id: 2, type: 'int32' } },
  duration: { duration: { id: 1, type: 'int64' } },
  object: { raw: { id: 1, type: 'bytes' } },
  json: { raw: { id: 1, type: 'bytes' } },
} as const;

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  float64: 'double',
  bytes: 'bytes',
};

interface Described {
  readonly fields: Record<string, { id: number; type: string; rule?: string; keyType?: string }>;
}

const resolved = (schema: SchemaRef): Schema => (typeof schema === 'function' ? schema() : schema);
const typeName = (name: string): string => name.replaceAll('.', '_');

/** The schema's declarations as protobufjs descriptors. */
class Descriptors {
  readonly nested: Record<string, Described> = Object.fromEntries(
    Object.entries(messages).map(([name, fields]) => [name, { fields: { ...fields } }]),
  );

  add(struct: StructSchema): string {
    const name = typeName(struct.name);
    if (this.nested[name] !== undefined) return name;
    const fields: Described['fields'] = {};
    this.nested[name] = { fields };
    for (const field of struct.fields) this.#field(fields, field);
    return name;
  }

  #field(fields: Described['fields'], field: Field): void {
    const schema = resolved(field.schema);
    const name = field.protoName ?? (field.name === '' ? `inline${field.num}` : field.name);
    if (schema.kind === 'list') {
      fields[name] = { id: field.num, rule: 'repeated', type: this.#type(resolved(schema.items)) };
    } else if (schema.kind === 'map') {
      fields[name] = { id: field.num, keyType: 'string', type: this.#type(resolved(schema.values)) };
    } else fields[name] = { id: field.num, type: this.#type(schema) };
  }

  #type(schema: Schema): string {
    if (schema.kind === 'struct') return this.add(schema);
    if (schema.kind === 'scalar') return scalars[schema.type] ?? schema.type;
    return 'bytes';
  }
}

/** Encodes and decodes a pod. */
export function protobuf(): readonly Comparison[] {
  const { Root } = library('protobufjs');
  const schema = findKind('', 'v1', 'Pod')?.schema;
  if (schema === undefined) throw new Error('there is no declaration of pods');
  const names = namesFor('kubernetes');
  const codec = codecCompiler(names).compile(schema);
  const ours = protobufCompiler(names).compile(schema);
  const pod = codec.decode(podOf(500, largePod), { defaults: true }).value;
  const bytes = Buffer.from(ours.encode(pod));
  const descriptors = new Descriptors();
  const name = descriptors.add(schema);
  const type = Root.fromJSON({ nested: descriptors.nested }).lookupType(name);
  const message = type.decode(bytes);
  const size = `${(bytes.length / 1000).toFixed(1)} KB`;
  const note =
    'the library leaves quantities, times and int-or-string as messages, and adds no zero values and no JSON order';
  return [
    {
      what: `decode a pod of ${size} to plain values`,
      ours: cpuMicros(() => ours.decode(bytes), 300),
      library: 'protobufjs (reflection)',
      theirs: cpuMicros(() => type.toObject(type.decode(bytes), { longs: String, bytes: String }), 300),
      unit: 'µs',
      note,
    },
    {
      what: 'encode it',
      ours: cpuMicros(() => ours.encode(pod), 300),
      library: 'protobufjs (reflection)',
      theirs: cpuMicros(() => type.encode(message).finish(), 300),
      unit: 'µs',
      note: 'from a message of the library, which has to be made of the JSON first',
    },
    {
      what: 'load the library',
      ours: 0,
      library: 'protobufjs',
      theirs: importMillis('protobufjs'),
      unit: 'ms',
    },
  ];
}
