import { cloneJson, isExactNumber, isJsonObject, type JsonObject, setMember } from '@orch/machinery';
import { sortBytewise } from '../codec/collections.ts';
import { DecodeContext, maxDepth } from '../codec/context.ts';
import { readFreeForm } from '../codec/free-form.ts';
import type { Read } from '../codec/scalars.ts';
import { memberSchema, type StructuralSchema } from './structural-schema.ts';

/** A schema at one place of a value, and whether members that it does not describe are kept there. */
interface Place {
  readonly schema: StructuralSchema;
  readonly keepsUndescribed: boolean;
}

/** The schema of values of which nothing is known. */
const anything: StructuralSchema = {};

/** Reads the members of an object that follow a structural schema. */
export type ReadMembers = (members: JsonObject, context: DecodeContext) => JsonObject;

/** What is computed once for a schema. */
interface Shared {
  readonly readMetadata: Read;
  /** Names of the properties that have a default. */
  readonly defaulted: WeakMap<StructuralSchema, readonly string[]>;
  /** Defaults with the defaults of their parts. */
  readonly defaults: WeakMap<StructuralSchema, { readonly value: unknown }>;
}

/**
 * Compiles the reading of objects by a structural schema: members that are not described are dropped unless they are
 * preserved, nulls that are not allowed count as absent, and absent members get their defaults. Types are not checked,
 * since users expect those among the violations of the schema: a value of the wrong type is kept. Members come out in
 * bytewise order. `readMetadata` reads the metadata of embedded objects.
 */
export function structuralReader(schema: () => StructuralSchema, readMetadata: Read): ReadMembers {
  const shared: Shared = { readMetadata, defaulted: new WeakMap(), defaults: new WeakMap() };
  return (members, context) => new ReadPass(shared, context).object(members, placeOf(schema(), false));
}

const placeOf = (schema: StructuralSchema, inherited: boolean): Place => ({
  schema,
  keepsUndescribed: inherited || schema.preservesUnknownFields === true,
});

function namesOfDefaulted({ properties }: StructuralSchema): readonly string[] {
  const names: string[] = [];
  for (const [name, property] of properties ?? []) if (property.default !== undefined) names.push(name);
  return names;
}

/** One pass over one object. */
class ReadPass {
  readonly #shared: Shared;
  readonly #context: DecodeContext;

  constructor(shared: Shared, context: DecodeContext) {
    this.#shared = shared;
    this.#context = context;
  }

  object(object: JsonObject, place: Place): JsonObject {
    const context = this.#context;
    const read: Record<string, unknown> = {};
    for (const name of this.#namesOf(object, place.schema)) {
      const seen = context.count;
      const raw = Object.hasOwn(object, name) ? object[name] : undefined;
      const value = this.#member(name, raw, place);
      if (context.count !== seen) context.within(seen, `.${name}`);
      if (value !== undefined) setMember(read, name, value);
    }
    return read;
  }

  /** Names of the members that the object has or, when defaults are applied, gets. */
  #namesOf(object: JsonObject, schema: StructuralSchema): readonly string[] {
    const names = Object.keys(object);
    if (this.#context.defaults && schema.properties !== undefined) {
      let defaulted = this.#shared.defaulted.get(schema);
      if (defaulted === undefined) {
        defaulted = namesOfDefaulted(schema);
        this.#shared.defaulted.set(schema, defaulted);
      }
      for (const name of defaulted) if (!Object.hasOwn(object, name)) names.push(name);
    }
    return sortBytewise(names);
  }

  #member(name: string, raw: unknown, { schema, keepsUndescribed }: Place): unknown {
    if (schema.isEmbeddedResource === true && raw !== undefined && raw !== null) {
      if (name === 'metadata') return this.#metadata(raw);
      if (name === 'apiVersion' || name === 'kind') return this.#text(raw);
    }
    const known = memberSchema(schema, name);
    if (known !== undefined) return this.#described(raw, known);
    if (schema.additionalProperties !== undefined) return this.#value(raw, placeOf(anything, false));
    if (keepsUndescribed) return readFreeForm(raw ?? null, this.#context);
    if (this.#context.reportUnknown) this.#context.unknown('');
    return undefined;
  }

  #described(raw: unknown, schema: StructuralSchema): unknown {
    if (raw !== undefined && raw !== null) return this.#value(raw, placeOf(schema, false));
    if (raw === null && schema.nullable === true) return null;
    if (schema.default === undefined) return undefined;
    // A null that a default replaces stays until defaults are applied.
    return this.#context.defaults ? this.#defaultOf(schema) : raw;
  }

  /** Embedded objects were never created, so that they have no time of it to be null. */
  #metadata(raw: unknown): unknown {
    const metadata = this.#shared.readMetadata(raw, this.#context);
    if (!isJsonObject(metadata) || metadata['creationTimestamp'] !== null) return metadata;
    const { creationTimestamp: _never, ...rest } = metadata;
    return rest;
  }

  #text(raw: unknown): string | undefined {
    if (typeof raw === 'string') return raw;
    this.#context.wrongType('a string', raw);
    return undefined;
  }

  #value(raw: unknown, place: Place): unknown {
    if (typeof raw !== 'object' || raw === null || isExactNumber(raw)) {
      return readFreeForm(raw ?? null, this.#context);
    }
    const context = this.#context;
    if (context.depth >= maxDepth) {
      context.tooDeep();
      return undefined;
    }
    context.depth++;
    const read = Array.isArray(raw) ? this.#items(raw, place) : this.object(raw as JsonObject, place);
    context.depth--;
    return read;
  }

  #items(list: readonly unknown[], { schema, keepsUndescribed }: Place): readonly unknown[] {
    const context = this.#context;
    const place = placeOf(schema.items ?? anything, keepsUndescribed);
    return list.map((raw, i) => {
      const seen = context.count;
      const value = raw === null ? this.#nullItem(place.schema) : (this.#value(raw, place) ?? null);
      if (context.count !== seen) context.within(seen, `[${i}]`);
      return value;
    });
  }

  /** A null in a list stays, unless it stands for a default. */
  #nullItem(schema: StructuralSchema): unknown {
    const isReplaced = schema.nullable !== true && schema.default !== undefined && this.#context.defaults;
    return isReplaced ? this.#defaultOf(schema) : null;
  }

  #defaultOf(schema: StructuralSchema): unknown {
    let known = this.#shared.defaults.get(schema);
    if (known === undefined) {
      const pass = new ReadPass(this.#shared, new DecodeContext({ defaults: true }));
      known = { value: pass.#value(schema.default, placeOf(schema, false)) };
      this.#shared.defaults.set(schema, known);
    }
    return cloneJson(known.value);
  }
}
