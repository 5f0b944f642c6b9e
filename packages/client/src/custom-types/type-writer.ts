import { type Naming, namesFor } from '@orch/machinery';
import { asList, asStrings, asText, isJsonObject, type JsonObject, objectAt } from '@orch/machinery/json';
import { type Identifiers, pascalCase } from './identifiers.ts';
import { comment, literal, propertyName, quoted } from './literals.ts';

/** Fields that the types of all objects of the API have. */
const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** A value whose type is written. */
interface Place {
  readonly schema: JsonObject;
  /** The identifier of its type, if it needs one and that is free. */
  readonly name: string;
  /** `spec.rules[].match` of the kind. */
  readonly path: string;
}

/** Writes the types of schemas of custom resources, those that contain others first. */
export class TypeWriter {
  readonly #keys;
  readonly #identifiers: Identifiers;
  readonly #declarations: string[] = [];
  /** Types of the client library that the declarations name. */
  readonly imported = new Set<string>();

  constructor(naming: Naming, identifiers: Identifiers) {
    this.#keys = namesFor(naming).schemaExtensions;
    this.#identifiers = identifiers;
  }

  get declarations(): readonly string[] {
    return this.#declarations;
  }

  /** Declares the type of an object with this identifier. */
  object(
    name: string,
    schema: JsonObject,
    type: { readonly apiVersion: string; readonly kind: string },
  ): void {
    this.imported.add('ObjectMeta');
    const head = `  apiVersion?: ${quoted(type.apiVersion)};\n  kind?: ${quoted(type.kind)};\n`;
    const description = asText(schema['description']) || `A ${type.kind} in ${type.apiVersion}.`;
    // An alias has an index signature where one is asked for, as the client does; an interface has none.
    this.#declare({ schema, name, path: '' }, (fields) => {
      const body = `{\n${head}  metadata: ObjectMeta;\n${fields}}`;
      return `${comment(description, '')}export type ${name} = ${body};\n`;
    });
  }

  /** Adds a declaration before those that its fields need. */
  #declare(place: Place, text: (fields: string) => string): void {
    const index = this.#declarations.push('') - 1;
    this.#declarations[index] = text(this.#fields(place));
  }

  #fields({ name: owner, path, schema }: Place): string {
    const isWhole = path === '' || this.#isEmbedded(schema);
    const required = new Set(asStrings(schema['required']));
    const fields = Object.entries(objectAt(schema, 'properties')).map(([name, property]) => {
      if (!isJsonObject(property) || (isWhole && typeFields.has(name))) return '';
      const isGiven = required.has(name) && (property['default'] ?? null) === null;
      const place = {
        schema: property,
        name: owner + pascalCase(name),
        path: path === '' ? name : `${path}.${name}`,
      };
      const type = this.#union(place).join(' | ');
      const doc = comment(this.#description(property), '  ');
      return `${doc}  ${propertyName(name)}${isGiven ? '' : '?'}: ${type};\n`;
    });
    return fields.join('') + (this.#isOpen(schema) ? '  [field: string]: unknown;\n' : '');
  }

  #isEmbedded(schema: JsonObject): boolean {
    return schema[this.#keys.embeddedResource] === true;
  }

  #isOpen(schema: JsonObject): boolean {
    const others = schema['additionalProperties'];
    return schema[this.#keys.preserveUnknownFields] === true || others === true || isJsonObject(others);
  }

  /** The description with what a type cannot say. */
  #description(schema: JsonObject): string {
    const notes: string[] = [];
    const listType = schema[this.#keys.listType];
    const keys = asStrings(schema[this.#keys.listMapKeys]).map((key) => `\`${key}\``);
    if (listType === 'map') notes.push(`One item for each ${keys.join(' and ')}.`);
    if (listType === 'set') notes.push('No two items are equal.');
    const byDefault = schema['default'] ?? null;
    if (byDefault !== null) notes.push(`Default: \`${JSON.stringify(byDefault)}\`.`);
    const description = asText(schema['description']).trim();
    return [...(description === '' ? [] : [description]), ...notes].join('\n');
  }

  /** The members of the union that is the type of a value. */
  #union(place: Place): readonly string[] {
    const types = this.#types(place);
    return place.schema['nullable'] === true && !types.includes('unknown') ? [...types, 'null'] : types;
  }

  #types(place: Place): readonly string[] {
    const { schema } = place;
    if (schema[this.#keys.intOrString] === true) return ['number', 'string'];
    switch (typeOf(schema)) {
      case 'string':
        return openUnion(schema, 'string');
      case 'integer':
        return openUnion(schema, schema['format'] === 'int64' ? this.#import('Int64') : 'number');
      case 'number':
        return openUnion(schema, 'number');
      case 'boolean':
        return ['boolean'];
      case 'array':
        return [this.#list(place)];
      case 'object':
        return [this.#object(place)];
      default:
        return ['unknown'];
    }
  }

  #import(name: string): string {
    this.imported.add(name);
    return name;
  }

  #list({ schema, name, path }: Place): string {
    const items = objectAt(schema, 'items');
    const types = this.#union({ schema: items, name: `${name}Item`, path: `${path}[]` });
    const keys = this.#keysToSend(schema, objectAt(items, 'properties'));
    if (types.length === 1 && keys.length > 0)
      return `${this.#import('KeyedList')}<${types[0]}, ${keys.map(quoted).join(' | ')}>`;
    return types.length === 1 ? `${types[0]}[]` : `(${types.join(' | ')})[]`;
  }

  /** The keys of the items of a list that have no default. */
  #keysToSend(list: JsonObject, fields: JsonObject): readonly string[] {
    if (list[this.#keys.listType] !== 'map') return [];
    const keys = asStrings(list[this.#keys.listMapKeys]);
    return keys.filter((key) => isJsonObject(fields[key]) && objectAt(fields, key)['default'] === undefined);
  }

  #object(place: Place): string {
    const { schema } = place;
    if (this.#isEmbedded(schema)) {
      const metadata = `  metadata?: ${this.#import('ObjectMeta')};\n`;
      return this.#interface(place, `  apiVersion: string;\n  kind: string;\n${metadata}`);
    }
    if (Object.keys(objectAt(schema, 'properties')).length > 0) return this.#interface(place, '');
    if (!this.#isOpen(schema)) return 'Record<string, never>';
    const others = schema['additionalProperties'];
    if (!isJsonObject(others)) return 'Record<string, unknown>';
    const { name, path } = place;
    const values = this.#union({ schema: others, name: `${name}Value`, path: `${path}[]` });
    return `Record<string, ${values.join(' | ')}>`;
  }

  #interface(place: Place, head: string): string {
    const name = this.#identifiers.take(place.name);
    const doc = comment(`The type of \`${place.path}\`.`, '');
    this.#declare({ ...place, name }, (fields) => `${doc}export interface ${name} {\n${head}${fields}}\n`);
    return name;
  }
}

/** The type of values; that of the structure where the schema names none. */
function typeOf(schema: JsonObject): string {
  const type = asText(schema['type']);
  if (type !== '') return type;
  if (isJsonObject(schema['properties']) || schema['additionalProperties'] !== undefined) return 'object';
  return isJsonObject(schema['items']) ? 'array' : '';
}

/** A type with the values of an enumeration, to which a later definition may add others. */
function openUnion(schema: JsonObject, type: string): readonly string[] {
  const plain = type === 'string' ? 'string' : 'number';
  const values = asList(schema['enum']).filter((value) => typeof value === plain);
  if (values.length === 0) return [type];
  return [...new Set(values.map((value) => literal(value)))].concat(`(${plain} & {})`);
}
