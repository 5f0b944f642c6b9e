import { namesFor } from '@orch/machinery';
import {
  type Field,
  resolveRef,
  type ScalarType,
  type Schema,
  type SchemaRef,
  type StructSchema,
  type UnionSchema,
} from '@orch/schema';

const orch = namesFor('orch');
const kubernetes = namesFor('kubernetes');

/** Types of scalar fields in JSON. */
const scalars: Readonly<Record<ScalarType, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  float64: 'number',
  bytes: 'string',
  quantity: 'string',
  intOrString: 'number | string',
  time: 'string',
  microTime: 'string',
  duration: 'string',
  object: 'Record<string, unknown>',
  json: 'unknown',
};

/** Structs that machinery has already. */
const fromMachinery: Readonly<Record<string, string>> = {
  'meta.v1.ObjectMeta': 'ObjectMeta',
  'meta.v1.OwnerReference': 'OwnerReference',
};

/** A struct or union of the schema language, and where its type stands. */
export interface NamedType {
  /** Group key: the file. */
  readonly group: string;
  /** Name in that file: that of the struct, with its version where that is not `v1`. */
  readonly name: string;
}

/** `apps.v1beta1.Deployment` → `DeploymentV1beta1` of `apps`. */
export function namedType(schemaName: string): NamedType {
  const [group = '', version = '', name = ''] = schemaName.split('.');
  const suffix = version === 'v1' ? '' : version.replace(/^v/, 'V');
  return { group, name: name + suffix };
}

/** Writes the types of one file, and remembers what it needs of others. */
export class TypeWriter {
  readonly #group: string;
  /** Groups whose files are needed, and names of machinery. */
  readonly groups = new Set<string>();
  readonly machinery = new Set<string>();
  readonly needed: (StructSchema | UnionSchema)[] = [];

  constructor(group: string) {
    this.#group = group;
  }

  declaration(schema: StructSchema | UnionSchema): string {
    const { name } = namedType(schema.name);
    const head = comment(schema.doc, '');
    if (schema.kind === 'union') return `${head}export type ${name} = ${this.#forms(schema)};\n`;
    const members = this.#members(schema);
    if (members === '') return `${head}export type ${name} = Record<string, never>;\n`;
    // An alias has an index signature where one is asked for, as `ApiObject` does; an interface has none.
    return schema.typeMeta === true
      ? `${head}export type ${name} = {\n  kind?: string;\n  apiVersion?: string;\n${members}};\n`
      : `${head}export interface ${name} {\n${members}}\n`;
  }

  #members(struct: StructSchema): string {
    return this.#fieldsOf(struct)
      .map((field) => this.#member(field, struct))
      .join('');
  }

  /** Fields with those of inlined structs in their place. */
  #fieldsOf(struct: StructSchema): readonly Field[] {
    return struct.fields.flatMap((field) => {
      if (field.inline !== true) return [field];
      const inlined = resolveRef(field.schema);
      return inlined.kind === 'struct' ? this.#fieldsOf(inlined) : [];
    });
  }

  #member(field: Field, struct: StructSchema): string {
    const isOwnMetadata = struct.typeMeta === true && field.name === 'metadata';
    const optional = isOwnMetadata || isRequired(field) ? '' : '?';
    const type = `${this.#type(field.schema)}${mayBeNull(field) ? ' | null' : ''}`;
    const doc = comment(field.doc, '  ');
    const [own, other] = [orch.field(field.name), kubernetes.field(field.name)];
    const one = (name: string, mark: string): string => `${doc}  ${property(name)}${mark}: ${type};\n`;
    return own === other ? one(own, optional) : one(own, '?') + one(other, '?');
  }

  #type(ref: SchemaRef): string {
    const schema: Schema = resolveRef(ref);
    switch (schema.kind) {
      case 'scalar':
        return scalars[schema.type];
      case 'list': {
        const item = this.#type(schema.items);
        return item.includes(' ') && !item.startsWith('Record<') ? `(${item})[]` : `${item}[]`;
      }
      case 'map':
        return `Record<string, ${this.#type(schema.values)}>`;
      default:
        return this.#reference(schema);
    }
  }

  #reference(schema: StructSchema | UnionSchema): string {
    const known = fromMachinery[schema.name];
    if (known !== undefined) {
      this.machinery.add(known);
      return known;
    }
    this.needed.push(schema);
    const { group, name } = namedType(schema.name);
    if (group === this.#group) return name;
    this.groups.add(group);
    return `${group}.${name}`;
  }

  #forms({ object, list, bool }: UnionSchema): string {
    return [
      ...(object?.schema === undefined ? [] : [this.#type(object.schema)]),
      ...(list?.schema === undefined ? [] : [this.#type({ kind: 'list', items: list.schema })]),
      ...(bool === undefined ? [] : ['boolean']),
    ].join(' | ');
  }
}

/** Listed as required in the published schema: clients have to send it, and get it. */
function isRequired(field: Field): boolean {
  if (field.openapiRequired !== undefined) return field.openapiRequired;
  if (field.presence !== 'always' || field.nullable === true) return false;
  const schema = resolveRef(field.schema);
  return schema.kind !== 'struct' && !isTime(schema);
}

/** What is always written is `null` when there is nothing to write, unless no object is valid without it. */
function mayBeNull(field: Field): boolean {
  if (field.presence !== 'always' || field.required === true) return false;
  const schema = resolveRef(field.schema);
  return field.nullable === true || schema.kind === 'list' || schema.kind === 'map' || isTime(schema);
}

const isTime = (schema: Schema): boolean =>
  schema.kind === 'scalar' && (schema.type === 'time' || schema.type === 'microTime');

const property = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

function comment(doc: string, indent: string): string {
  const text = doc.replace(/\s+/g, ' ').replaceAll('*/', '*\\/').trim();
  return text === '' ? '' : `${indent}/** ${text} */\n`;
}
