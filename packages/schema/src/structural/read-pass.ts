import {
  cloneJson,
  isExactNumber,
  isJsonObject,
  type JsonObject,
  noteWidth,
  setField,
} from '@orch/machinery/json';
import { DecodeContext, MAX_DEFAULTED_BYTES, MAX_DEPTH } from '../walk/decode-context.ts';
import { readFreeForm } from '../walk/free-form.ts';
import type { Read } from '../walk/reader.ts';
import { sortBytewise } from '../walk/sort-bytewise.ts';
import { type ExpandedDefault, isPlain, type ReadPlan } from './read-plan.ts';

/** Fields that are not in order are sorted by a slot for each property, unless there are more properties than this. */
const MAX_SLOTS = 256;

const none: readonly number[] = [];

/** Bytes of a field besides its value and the average name. */
const DEFAULT_OVERHEAD = 8;

/** Stands for a field that gets its default. */
const absent: unique symbol = Symbol('absent');

type Fields = Record<string, unknown>;

/**
 * One pass over one object: fields that are not described are dropped unless they are preserved, nulls that are not allowed count
 * as absent, and absent fields get their defaults. Types are not checked, since users expect those among the violations of the
 * schema: a value of the wrong type is kept. Fields come out in bytewise order.
 */
export class ReadPass {
  readonly #readMetadata: Read;
  readonly context: DecodeContext;

  constructor(readMetadata: Read, context: DecodeContext) {
    this.#readMetadata = readMetadata;
    this.context = context;
  }

  get #appliesDefaults(): boolean {
    return this.context.defaults;
  }

  /** `keeps`: fields that the schema does not describe are kept. */
  object(object: JsonObject, plan: ReadPlan, keeps: boolean): JsonObject {
    if (plan.isEmbedded || plan.names.length === 0) return this.#anyObject(object, plan, keeps);
    const defaulted = this.#appliesDefaults ? plan.defaulted : none;
    const layout = plan.layoutOf(object, defaulted);
    if (layout === 'other')
      return this.#slottedObject(object, plan, defaulted) ?? this.#anyObject(object, plan, keeps);
    const read = layout === 'flat' ? { ...object } : this.#orderedObject(object, plan);
    noteWidth(read, plan.names.length);
    for (const index of defaulted) {
      const name = plan.names[index] as string;
      if (Object.hasOwn(object, name)) continue;
      const value = this.#defaultOf(plan.field(index));
      if (value !== undefined) setField(read, name, value);
    }
    return read;
  }

  /** All fields are properties, in the order of those. */
  #orderedObject(object: JsonObject, plan: ReadPlan): Fields {
    const read: Fields = {};
    let next = 0;
    for (const name in object) {
      const index = plan.names[next] === name ? next : (plan.indexOf(name) as number);
      next = index + 1;
      const raw = object[name];
      const value = isPlain(raw) ? raw : this.#property(name, raw, plan.field(index));
      if (value !== undefined) setField(read, name, value);
    }
    return read;
  }

  /** All fields are properties, in any order. Undefined if one is not, or if there are too many properties. */
  #slottedObject(object: JsonObject, plan: ReadPlan, defaulted: readonly number[]): Fields | undefined {
    const { names } = plan;
    if (names.length > MAX_SLOTS) return undefined;
    const slots = new Array<unknown>(names.length).fill(undefined);
    for (const name in object) {
      const index = plan.indexOf(name);
      if (index === undefined) return undefined;
      slots[index] = object[name];
    }
    for (const index of defaulted) if (slots[index] === undefined) slots[index] = absent;
    const read: Fields = {};
    for (let i = 0; i < names.length; i++) {
      const raw = slots[i];
      if (raw === undefined) continue;
      const name = names[i] as string;
      const value = isPlain(raw)
        ? raw
        : this.#property(name, raw === absent ? undefined : raw, plan.field(i));
      if (value !== undefined) setField(read, name, value);
    }
    return read;
  }

  #property(name: string, raw: unknown, plan: ReadPlan): unknown {
    const seen = this.context.count;
    const value = this.#described(raw, plan);
    if (this.context.count !== seen) this.context.within(seen, `.${name}`);
    return value;
  }

  /** An object of any fields. */
  #anyObject(object: JsonObject, plan: ReadPlan, keeps: boolean): JsonObject {
    const context = this.context;
    const read: Fields = {};
    const names = sortBytewise(this.namesOf(object, plan));
    noteWidth(read, names.length);
    for (const name of names) {
      const raw = Object.hasOwn(object, name) ? object[name] : undefined;
      const seen = context.count;
      const value = this.field(name, raw, plan, keeps);
      if (context.count !== seen) context.within(seen, `.${name}`);
      if (value !== undefined) setField(read, name, value);
    }
    return read;
  }

  /** Names of the fields that the object has or, when defaults are applied, gets, in any order. */
  namesOf(object: JsonObject, plan: ReadPlan): string[] {
    const names = Object.keys(object);
    if (this.#appliesDefaults) {
      for (const index of plan.defaulted) {
        const name = plan.names[index] as string;
        if (!Object.hasOwn(object, name)) names.push(name);
      }
    }
    return names;
  }

  /** A field of an object of any fields; undefined where it is dropped. */
  field(name: string, raw: unknown, plan: ReadPlan, keeps: boolean): unknown {
    if (plan.isEmbedded && raw !== undefined && raw !== null) {
      if (name === 'metadata') return this.#metadata(raw);
      if (name === 'apiVersion' || name === 'kind') return this.#text(raw);
    }
    const index = plan.indexOf(name);
    if (index !== undefined) return isPlain(raw) ? raw : this.#described(raw, plan.field(index));
    const { others } = plan;
    if (others !== undefined) {
      return typeof plan.schema.additionalProperties === 'object'
        ? this.#described(raw, others)
        : this.#value(raw, others, false);
    }
    if (keeps) return readFreeForm(raw ?? null, this.context);
    if (this.context.reportUnknown) this.context.unknown('');
    return undefined;
  }

  #described(raw: unknown, plan: ReadPlan): unknown {
    if (raw !== undefined && raw !== null) return this.#value(raw, plan, plan.keepsUndescribed);
    if (raw === null && plan.schema.nullable === true) return null;
    if (plan.schema.default === undefined) return undefined;
    // A null that a default replaces stays until defaults are applied.
    return this.#appliesDefaults ? this.#defaultOf(plan) : raw;
  }

  /** Embedded objects were never created, so that they have no time of it to be null. */
  #metadata(raw: unknown): unknown {
    const seen = this.context.count;
    const read = this.#readMetadata(raw, this.context);
    // An object that a client sends is refused because of its problems; a stored one is read without the fields that have some.
    const metadata = this.context.count === seen ? read : this.#readableMetadata(raw);
    if (!isJsonObject(metadata) || metadata['creationTimestamp'] !== null) return metadata;
    const { creationTimestamp: _never, ...rest } = metadata;
    return rest;
  }

  /** The fields of metadata that can be read, each independently; undefined when it is not an object. */
  #readableMetadata(raw: unknown): unknown {
    if (!isJsonObject(raw)) return undefined;
    const fields = Object.entries(raw).filter(([name, value]) => {
      const context = new DecodeContext();
      this.#readMetadata({ [name]: value }, context);
      return context.count === 0;
    });
    return this.#readMetadata(Object.fromEntries(fields), new DecodeContext());
  }

  #text(raw: unknown): string | undefined {
    if (typeof raw === 'string') return raw;
    this.context.wrongType('a string', raw);
    return undefined;
  }

  #value(raw: unknown, plan: ReadPlan, keeps: boolean): unknown {
    if (typeof raw !== 'object' || raw === null || isExactNumber(raw)) {
      return readFreeForm(raw ?? null, this.context);
    }
    const context = this.context;
    if (context.depth >= MAX_DEPTH) {
      context.tooDeep();
      return undefined;
    }
    context.depth++;
    const read = Array.isArray(raw)
      ? this.#items(raw, plan.items, keeps || plan.items.keepsUndescribed)
      : this.object(raw as JsonObject, plan, keeps);
    context.depth--;
    return read;
  }

  #items(list: readonly unknown[], plan: ReadPlan, keeps: boolean): readonly unknown[] {
    const context = this.context;
    return list.map((raw, i) => {
      if (isPlain(raw)) return raw;
      const seen = context.count;
      const value = this.item(raw, plan, keeps);
      if (context.count !== seen) context.within(seen, `[${i}]`);
      return value;
    });
  }

  item(raw: unknown, plan: ReadPlan, keeps: boolean): unknown {
    return raw === null ? this.#nullItem(plan) : (this.#value(raw, plan, keeps) ?? null);
  }

  /** A null in a list is kept, unless it is replaced by a default. */
  #nullItem(plan: ReadPlan): unknown {
    const { default: declared, nullable } = plan.schema;
    return nullable !== true && declared !== undefined && this.#appliesDefaults
      ? (this.#defaultOf(plan) ?? null)
      : null;
  }

  /** Undefined where the defaults of the object are too large together. */
  #defaultOf(plan: ReadPlan): unknown {
    plan.default ??= this.#expandedDefault(plan);
    const { bytes, value } = plan.default;
    return this.context.grow(bytes) ? cloneJson(value) : undefined;
  }

  #expandedDefault(plan: ReadPlan): ExpandedDefault {
    const context = new DecodeContext({ defaults: true });
    const pass = new ReadPass(this.#readMetadata, context);
    const value = pass.#value(plan.schema.default, plan, plan.keepsUndescribed);
    const isTooLarge = context.defaultedBytes > MAX_DEFAULTED_BYTES;
    return isTooLarge
      ? { value: undefined, bytes: context.defaultedBytes }
      : { value, bytes: (JSON.stringify(value)?.length ?? 0) + DEFAULT_OVERHEAD };
  }
}
