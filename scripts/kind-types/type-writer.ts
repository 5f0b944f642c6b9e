import { listIdentity } from '@orch/apply';
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

/**
 * The guarantees of the types.
 *
 * - `client`: the published schema. Fields that it lists as required are there, names are those of both namings, and
 *   programs may change the objects that they have read.
 * - `decoded`: what a codec returns before validation. Every field may be absent, and those that are always written may
 *   be `null`. Names are the canonical ones of the declarations; objects are read only.
 */
export type Audience = 'client' | 'decoded';

/** Types of fields that are not structs, as they are in JSON. */
const scalars: Readonly<Record<ScalarType, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'Int64',
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

/** Structs that machinery declares by hand. */
const fromMachinery: Readonly<Record<string, string>> = {
  'meta.v1.ObjectMeta': 'ObjectMeta',
  'meta.v1.OwnerReference': 'OwnerReference',
};

/** A struct or union of the schema language, and the place of its type. */
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

/** Maximum length of a line. */
const LINE_CHARS = 110;

/** Writes the types of one file, and collects the required types of other files. */
export class TypeWriter {
  readonly #group: string;
  readonly #audience: Audience;
  /** Groups whose files are needed, and names of machinery. */
  readonly groups = new Set<string>();
  readonly machinery = new Set<string>();
  hasKeyedLists = false;
  readonly needed: (StructSchema | UnionSchema)[] = [];

  constructor(group: string, audience: Audience) {
    this.#group = group;
    this.#audience = audience;
  }

  declaration(schema: StructSchema | UnionSchema): string {
    const { name } = namedType(schema.name);
    const head = this.#comment(schema.doc, '');
    if (schema.kind === 'union') return `${head}export type ${name} = ${this.#variants(schema)};\n`;
    const fields = this.#fields(schema);
    if (fields === '') return `${head}export type ${name} = Record<string, never>;\n`;
    const readonly = this.#readonly;
    const typeMeta = `  ${readonly}kind?: string;\n  ${readonly}apiVersion?: string;\n`;
    const body = `{\n${schema.typeMeta === true ? typeMeta : ''}${fields}}`;
    // An alias has an index signature where one is asked for, as `ApiObject` does; an interface has none.
    return schema.typeMeta === true || this.#audience === 'decoded'
      ? `${head}export type ${name} = ${body};\n`
      : `${head}export interface ${name} ${body}\n`;
  }

  get #readonly(): string {
    return this.#audience === 'decoded' ? 'readonly ' : '';
  }

  #fields(struct: StructSchema): string {
    return fieldsOf(struct)
      .map((field) => this.#field(field, struct))
      .join('');
  }

  #field(field: Field, struct: StructSchema): string {
    const isOwnMetadata = struct.typeMeta === true && field.name === 'metadata';
    const type = `${this.#enumeration(field) ?? this.#keyedList(field) ?? this.#type(field.schema)}${this.#mayBeNull(field) ? ' | null' : ''}`;
    const doc = this.#comment(field.doc, '  ');
    const one = (name: string, mark: string): string =>
      doc + fieldLine(`  ${this.#readonly}${property(name)}${mark}:`, type);
    if (this.#audience === 'decoded') return one(field.name, isOwnMetadata ? '' : '?');
    const names = namesOf(field);
    const optional = isOwnMetadata || (names.length === 1 && isRequired(field)) ? '' : '?';
    return names.map((name) => one(name, optional)).join('');
  }

  /** A field that is always written is `null` when it has no value; a valid object has the required fields. */
  #mayBeNull(field: Field): boolean {
    return canBeNull(field) && (this.#audience === 'decoded' || field.required !== true);
  }

  /** The values of an enumeration, to which a later release may add others: it accepts every string. */
  #enumeration({ schema: ref, enum: values = [] }: Field): string | undefined {
    const schema = resolveRef(ref);
    const items = schema.kind === 'list' ? resolveRef(schema.items) : schema;
    const named = values.filter((value) => value !== '');
    const isText = items.kind === 'scalar' && items.type === 'string';
    if (this.#audience === 'decoded' || !isText || named.length === 0) return undefined;
    const open = [...named.map((value) => `'${value}'`), '(string & {})'].join(' | ');
    return schema.kind === 'list' ? this.#list(open) : open;
  }

  #type(ref: SchemaRef): string {
    const schema: Schema = resolveRef(ref);
    switch (schema.kind) {
      case 'scalar':
        return this.#scalar(schema.type);
      case 'list':
        return this.#list(this.#item(schema.items));
      case 'map':
        return this.#frozen(`Record<string, ${this.#item(schema.values)}>`);
      default:
        return this.#reference(schema);
    }
  }

  /** A codec reads a `null` item as the zero value of its type, which is `null` for lists and maps. */
  #item(ref: SchemaRef): string {
    const { kind } = resolveRef(ref);
    const mayBeNull = this.#audience === 'decoded' && (kind === 'list' || kind === 'map');
    return `${this.#type(ref)}${mayBeNull ? ' | null' : ''}`;
  }

  #scalar(type: ScalarType): string {
    if (this.#audience === 'decoded' && type === 'int64') {
      this.machinery.add('ExactNumber');
      return 'number | ExactNumber';
    }
    if (type === 'int64') {
      this.machinery.add('Int64');
      return 'Int64';
    }
    return type === 'object' ? this.#frozen(scalars.object) : scalars[type];
  }

  /** A list whose items have keys that clients must send; undefined for other lists. */
  #keyedList(field: Field): string | undefined {
    const list = resolveRef(field.schema);
    const item = list.kind === 'list' ? resolveRef(list.items) : list;
    if (this.#audience === 'decoded' || list.kind !== 'list' || item.kind !== 'struct') return undefined;
    const { identity, keys: names } = listIdentity(list, field);
    if (identity !== 'keys') return undefined;
    // An item may lack some of several keys.
    const isSent = (key: Field): boolean => names.length === 1 || isRequired(key);
    const keys = fieldsOf(item).filter(
      (key) => names.includes(key.name) && key.default === undefined && isSent(key),
    );
    if (keys.length === 0) return undefined;
    this.hasKeyedLists = true;
    return `KeyedList<${this.#type(list.items)}, ${keys.map(({ name }) => `'${name}'`).join(' | ')}>`;
  }

  #list(item: string): string {
    const isCompound = item.includes(' ') && !/^(Readonly<)?Record</.test(item);
    return `${this.#readonly}${isCompound ? `(${item})` : item}[]`;
  }

  #frozen(record: string): string {
    return this.#audience === 'decoded' ? `Readonly<${record}>` : record;
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

  #variants({ object, list, bool }: UnionSchema): string {
    return [
      ...(object?.schema === undefined ? [] : [this.#type(object.schema)]),
      ...(list?.schema === undefined ? [] : [this.#type({ kind: 'list', items: list.schema })]),
      ...(bool === undefined ? [] : ['boolean']),
    ].join(' | ');
  }

  /** Types of decoded objects have no comments: the declarations of the same package have them. */
  #comment(doc: string, indent: string): string {
    const text = doc.replace(/\s+/g, ' ').replaceAll('*/', '*\\/').trim();
    return text === '' || this.#audience === 'decoded' ? '' : `${indent}/** ${text} */\n`;
  }
}

/** The names of a field: those of both namings where they differ. */
const namesOf = ({ name }: Field): readonly string[] => [
  ...new Set([orch.field(name), kubernetes.field(name)]),
];

/** Fields with those of inlined structs in their place. */
function fieldsOf(struct: StructSchema): readonly Field[] {
  return struct.fields.flatMap((field) => {
    if (field.inline !== true) return [field];
    const inlined = resolveRef(field.schema);
    return inlined.kind === 'struct' ? fieldsOf(inlined) : [];
  });
}

/**
 * Listed as required in the published schema: clients have to send it, and get it. Where releases differ, types are those
 * of the earlier ones, which programs were written for.
 */
function isRequired(field: Field): boolean {
  const declared = field.openapiRequired;
  if (declared !== undefined) return typeof declared === 'boolean' ? declared : !declared.is;
  if (field.presence !== 'always' || field.nullable === true) return false;
  const schema = resolveRef(field.schema);
  return schema.kind !== 'struct' && !isTime(schema);
}

/** Reports whether a codec writes `null` for a field without a value. */
function canBeNull(field: Field): boolean {
  if (field.presence !== 'always') return false;
  const schema = resolveRef(field.schema);
  return field.nullable === true || schema.kind === 'list' || schema.kind === 'map' || isTime(schema);
}

const isTime = (schema: Schema): boolean =>
  schema.kind === 'scalar' && (schema.type === 'time' || schema.type === 'microTime');

/** A field as the formatter writes it: a long union has a line for each of its parts. */
function fieldLine(start: string, type: string): string {
  const line = `${start} ${type};\n`;
  const isLong = line.length > LINE_CHARS + 1 && !type.endsWith('[]');
  return isLong ? `${start}\n    | ${type.replaceAll(' | ', '\n    | ')};\n` : line;
}

const property = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);
