import { cloneJson, isExactNumber, isJsonObject, type JsonObject, setMember } from '@orch/machinery';
import { sortBytewise } from '../codec/collections.ts';
import { DecodeContext, MAX_DEPTH } from '../codec/context.ts';
import { readFreeForm } from '../codec/free-form.ts';
import type { Read } from '../codec/scalars.ts';
import { ReaderNode } from './reader-node.ts';
import type { StructuralSchema } from './structural-schema.ts';

/** Reads the fields of an object that follow a structural schema. */
export type ReadFields = (fields: JsonObject, context: DecodeContext) => JsonObject;

/**
 * Compiles the reading of objects by a structural schema: fields that are not described are dropped unless they are
 * preserved, nulls that are not allowed count as absent, and absent fields get their defaults. Types are not checked,
 * since users expect those among the violations of the schema: a value of the wrong type is kept. Fields come out in
 * bytewise order. `readMetadata` reads the metadata of embedded objects.
 */
export function structuralReader(schema: () => StructuralSchema, readMetadata: Read): ReadFields {
  let root: ReaderNode | undefined;
  return (fields, context) => {
    root ??= new ReaderNode(schema());
    return new ReadPass(readMetadata, context).object(fields, root, root.keepsUndescribed);
  };
}

/** Names in bytewise order. Where all are properties in order, which is usual, nothing is sorted. */
function ordered(names: string[], node: ReaderNode): readonly string[] {
  if (!node.hasPlainNames) return sortBytewise(names);
  let before = '';
  for (const name of names) {
    if (before > name || node.property(name) === undefined) return sortBytewise(names);
    before = name;
  }
  return names;
}

/** A scalar that is kept as it is. */
const isPlain = (raw: unknown): boolean =>
  typeof raw === 'string' || typeof raw === 'boolean' || (typeof raw === 'number' && Number.isFinite(raw));

/** One pass over one object. */
class ReadPass {
  readonly #readMetadata: Read;
  readonly #context: DecodeContext;

  constructor(readMetadata: Read, context: DecodeContext) {
    this.#readMetadata = readMetadata;
    this.#context = context;
  }

  /** `keeps`: fields that the schema does not describe are kept. */
  object(object: JsonObject, node: ReaderNode, keeps: boolean): JsonObject {
    const context = this.#context;
    const read: Record<string, unknown> = {};
    for (const name of this.#namesOf(object, node)) {
      const raw = Object.hasOwn(object, name) ? object[name] : undefined;
      if (isPlain(raw) && !node.isEmbedded && node.property(name) !== undefined) {
        setMember(read, name, raw);
        continue;
      }
      const seen = context.count;
      const value = this.#field(name, raw, node, keeps);
      if (context.count !== seen) context.within(seen, `.${name}`);
      if (value !== undefined) setMember(read, name, value);
    }
    return read;
  }

  /** Names of the fields that the object has or, when defaults are applied, gets. */
  #namesOf(object: JsonObject, node: ReaderNode): readonly string[] {
    const names = Object.keys(object);
    if (this.#context.defaults) {
      for (const name of node.defaulted) if (!Object.hasOwn(object, name)) names.push(name);
    }
    return ordered(names, node);
  }

  #field(name: string, raw: unknown, node: ReaderNode, keeps: boolean): unknown {
    if (node.isEmbedded && raw !== undefined && raw !== null) {
      if (name === 'metadata') return this.#metadata(raw);
      if (name === 'apiVersion' || name === 'kind') return this.#text(raw);
    }
    const property = node.property(name);
    if (property !== undefined) return this.#described(raw, property);
    const { others } = node;
    if (others !== undefined) {
      return typeof node.schema.additionalProperties === 'object'
        ? this.#described(raw, others)
        : this.#value(raw, others, false);
    }
    if (keeps) return readFreeForm(raw ?? null, this.#context);
    if (this.#context.reportUnknown) this.#context.unknown('');
    return undefined;
  }

  #described(raw: unknown, node: ReaderNode): unknown {
    if (raw !== undefined && raw !== null) return this.#value(raw, node, node.keepsUndescribed);
    if (raw === null && node.schema.nullable === true) return null;
    if (node.schema.default === undefined) return undefined;
    // A null that a default replaces stays until defaults are applied.
    return this.#context.defaults ? this.#defaultOf(node) : raw;
  }

  /** Embedded objects were never created, so that they have no time of it to be null. */
  #metadata(raw: unknown): unknown {
    const metadata = this.#readMetadata(raw, this.#context);
    if (!isJsonObject(metadata) || metadata['creationTimestamp'] !== null) return metadata;
    const { creationTimestamp: _never, ...rest } = metadata;
    return rest;
  }

  #text(raw: unknown): string | undefined {
    if (typeof raw === 'string') return raw;
    this.#context.wrongType('a string', raw);
    return undefined;
  }

  #value(raw: unknown, node: ReaderNode, keeps: boolean): unknown {
    if (typeof raw !== 'object' || raw === null || isExactNumber(raw)) {
      return readFreeForm(raw ?? null, this.#context);
    }
    const context = this.#context;
    if (context.depth >= MAX_DEPTH) {
      context.tooDeep();
      return undefined;
    }
    context.depth++;
    const read = Array.isArray(raw)
      ? this.#items(raw, node.items, keeps || node.items.keepsUndescribed)
      : this.object(raw as JsonObject, node, keeps);
    context.depth--;
    return read;
  }

  #items(list: readonly unknown[], node: ReaderNode, keeps: boolean): readonly unknown[] {
    const context = this.#context;
    return list.map((raw, i) => {
      const seen = context.count;
      const value = raw === null ? this.#nullItem(node) : (this.#value(raw, node, keeps) ?? null);
      if (context.count !== seen) context.within(seen, `[${i}]`);
      return value;
    });
  }

  /** A null in a list stays, unless it stands for a default. */
  #nullItem(node: ReaderNode): unknown {
    const { default: declared, nullable } = node.schema;
    return nullable !== true && declared !== undefined && this.#context.defaults
      ? this.#defaultOf(node)
      : null;
  }

  #defaultOf(node: ReaderNode): unknown {
    if (node.default === undefined) {
      const pass = new ReadPass(this.#readMetadata, new DecodeContext({ defaults: true }));
      node.default = { value: pass.#value(node.schema.default, node, node.keepsUndescribed) };
    }
    return cloneJson(node.default.value);
  }
}
