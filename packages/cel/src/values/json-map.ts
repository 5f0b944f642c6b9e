import { jsonEquals } from '@orch/machinery';
import type { DeclType, ObjectDecl } from '../decl/decl-type.ts';
import { type EqualsOther, sameEntries, type WorkMeter } from './equality.ts';
import type { FromJson } from './from-json.ts';
import { MapValue, type Value } from './value.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The fields of a JSON object as they are converted, each when it is first read: an expression that reads one in a loop
 * does not convert it again.
 */
class ConvertedFields {
  readonly #json: Json;
  #converted: Map<string, Value> | undefined;
  readonly #fromJson: FromJson;
  constructor(json: Json, fromJson: FromJson) {
    this.#json = json;
    this.#fromJson = fromJson;
  }
  get(name: string, type: DeclType): Value | undefined {
    const raw = this.#json[name];
    if (raw === undefined || !Object.hasOwn(this.#json, name)) return undefined;
    if (typeof raw !== 'object' && (type.kind === 'string' || type.kind === 'int' || type.kind === 'bool'))
      return this.#fromJson(type, raw);
    this.#converted ??= new Map();
    const known = this.#converted.get(name);
    if (known !== undefined) return known;
    const value = this.#fromJson(type, raw);
    this.#converted.set(name, value);
    return value;
  }
}

/** A JSON object with names that a schema leaves open. */
export class JsonMap extends MapValue {
  readonly #value: DeclType;
  readonly #json: Json;
  readonly #fields: ConvertedFields;
  #keys: readonly string[] | undefined;
  constructor(value: DeclType, json: Json, fromJson: FromJson) {
    super();
    this.#value = value;
    this.#json = json;
    this.#fields = new ConvertedFields(json, fromJson);
  }
  get size(): number {
    return this.keys().length;
  }
  get(key: Value): Value | undefined {
    return typeof key === 'string' ? this.#fields.get(key, this.#value) : undefined;
  }
  has(key: Value): boolean {
    return typeof key === 'string' && Object.hasOwn(this.#json, key);
  }
  keys(): readonly string[] {
    this.#keys ??= Object.keys(this.#json);
    return this.#keys;
  }
}

/**
 * A JSON object with declared fields; expressions cannot read fields that are not declared, but comparisons include
 * them. A field that is null counts as absent.
 */
export class JsonObject extends MapValue implements EqualsOther {
  readonly decl: ObjectDecl;
  readonly #json: Json;
  readonly #fields: ConvertedFields;
  #size: number | undefined;
  constructor(decl: ObjectDecl, json: Json, fromJson: FromJson) {
    super();
    this.decl = decl;
    this.#json = json;
    this.#fields = new ConvertedFields(json, fromJson);
  }
  get size(): number {
    this.#size ??= Object.keys(this.#json).length;
    return this.#size;
  }
  get(key: Value): Value | undefined {
    return typeof key === 'string' ? this.field(key) : undefined;
  }
  /** The field of that name in expressions; undefined when it is absent. */
  field(name: string): Value | undefined {
    const field = this.decl.fields.get(name);
    if (field === undefined || this.#json[field.jsonName] === null) return undefined;
    return this.#fields.get(field.jsonName, field.type);
  }
  has(key: Value): boolean {
    if (typeof key !== 'string') return false;
    const field = this.decl.fields.get(key);
    if (field === undefined || !Object.hasOwn(this.#json, field.jsonName)) return false;
    return this.#json[field.jsonName] !== null;
  }
  keys(): readonly string[] {
    return [...this.decl.fields.keys()].filter((name) => this.has(name));
  }
  equalsValue(other: Value, meter?: WorkMeter): boolean {
    if (!(other instanceof JsonObject)) return sameEntries(this, other as MapValue, meter);
    return sameEntries(this, other, meter) && jsonEquals(this.#undeclared(), other.#undeclared());
  }
  #undeclared(): Json {
    const declared = jsonNamesOf(this.decl);
    return Object.keys(this.#json).every((name) => declared.has(name))
      ? nothing
      : Object.fromEntries(Object.entries(this.#json).filter(([name]) => !declared.has(name)));
  }
}

const nothing: Json = {};
const jsonNames = new WeakMap<ObjectDecl, ReadonlySet<string>>();

/** Names that the declared fields have in JSON, collected once for each declaration. */
function jsonNamesOf(decl: ObjectDecl): ReadonlySet<string> {
  let names = jsonNames.get(decl);
  if (names === undefined) {
    names = new Set(Array.from(decl.fields.values(), ({ jsonName }) => jsonName));
    jsonNames.set(decl, names);
  }
  return names;
}
