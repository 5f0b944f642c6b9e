import { type FieldError, fieldError, type Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import {
  type Budget,
  BudgetError,
  codecCompiler,
  type RuleCompiler,
  type StructuralSchema,
  ValueValidator,
} from '@orch/schema';
import { ObjectMeta } from '../../../meta/object-meta.ts';
import type { SchemaContext } from './schema-context.ts';

/** Checking a default takes as long as checking this number of schemas without one. */
const DEFAULT_STEPS = 16;

const rootFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

export interface DefaultRulesOptions {
  /** Whether defaults may contain only what their schema declares. */
  readonly mustBePruned: boolean;
  readonly names: Names;
  /** Compiles the expressions of the schema; undefined when they are not evaluated. */
  readonly expressions: RuleCompiler | undefined;
}

/** A synthetic object around a default. */
interface Surroundings {
  readonly schema: StructuralSchema;
  /** The object with a value in place of the default. */
  readonly around: (value: unknown) => JsonObject;
  /** The default is part of the type or of the metadata of the object. */
  readonly inMetadata: boolean;
  /** The field of every object that contains the default, if only the server sets it. */
  readonly fixedField?: string;
}

const typed = (fields: JsonObject): JsonObject => ({
  apiVersion: 'validation/v1',
  kind: 'Validation',
  ...fields,
});

const surroundedBy = (schema: StructuralSchema): Surroundings => ({
  schema: { ...schema, isEmbeddedResource: true },
  around: (value) => typed(value as JsonObject),
  inMetadata: false,
});

const joined = (errors: readonly FieldError[]): string => {
  const lines = errors.map(({ field, message }) => `${field}: ${message}`);
  return lines.length === 1 ? lines.join() : `[${lines.join(', ')}]`;
};

/**
 * Checks the defaults of a definition: each is a value that its schema accepts unchanged (facts:
 * CustomResourceDefinition).
 */
export class DefaultRules {
  /** Whether every default contains only fields that its schema declares. */
  arePruned = true;
  readonly #context: SchemaContext;
  readonly #budget: Budget;
  readonly #mustBePruned: boolean;
  readonly #validator: ValueValidator;

  constructor(
    context: SchemaContext,
    budget: Budget,
    { expressions, mustBePruned, names }: DefaultRulesOptions,
  ) {
    this.#context = context;
    this.#budget = budget;
    this.#mustBePruned = mustBePruned;
    const metadata = codecCompiler(names).compile(ObjectMeta);
    this.#validator = new ValueValidator({ names, metadata, budget, expressions });
  }

  *check(schema: StructuralSchema, path: string): Work<void> {
    try {
      yield* this.#walk(schema, path, surroundedBy(schema), true);
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      const why = 'the defaults are too much work to check against this schema';
      this.#context.report(fieldError.forbidden(path, why));
    }
  }

  *#walk(schema: StructuralSchema, path: string, outside: Surroundings, isRoot = false): Work<void> {
    if (this.#context.full) return;
    if (this.#context.pace.isDue()) yield;
    this.#budget.spend(1);
    const isObject = isRoot || schema.isEmbeddedResource === true;
    const surroundings = isObject ? surroundedBy(schema) : outside;
    if (schema.default !== undefined) {
      const checked = isRoot ? surroundings.schema : schema;
      yield* this.#checkDefault(checked, `${path}.default`, surroundings);
      this.#context.pace.spend(DEFAULT_STEPS);
    }
    const { around, inMetadata } = surroundings;
    for (const [name, property] of schema.properties ?? []) {
      yield* this.#walk(property, `${path}.properties[${name}]`, {
        ...surroundings,
        around: (value) => around({ [name]: value }),
        inMetadata: inMetadata || (isObject && rootFields.has(name)),
        ...(isRoot && rootFields.has(name) ? { fixedField: name } : {}),
      });
    }
    const { additionalProperties, items } = schema;
    if (items !== undefined)
      yield* this.#walk(items, `${path}.items`, { ...surroundings, around: (value) => around([value]) });
    if (typeof additionalProperties === 'object')
      yield* this.#walk(additionalProperties, `${path}.additionalProperties`, surroundings);
  }

  /** The budget limits each step to some milliseconds, also for a default that takes all of it. */
  *#checkDefault(schema: StructuralSchema, path: string, surroundings: Surroundings): Work<void> {
    const value = schema.default;
    if (surroundings.fixedField !== undefined) {
      const why = `must not be set in top-level ${surroundings.fixedField}`;
      this.#context.report(fieldError.forbidden(path, why));
      return;
    }
    if (!surroundings.inMetadata) {
      this.#checkPruned(schema, path);
      yield;
    }
    const embedded = surroundings.inMetadata
      ? this.#metadataErrors(value, path, surroundings)
      : this.#validator.embedded({ value, schema, path });
    yield;
    const errors = embedded.length > 0 ? embedded : yield* this.#validator.check({ value, schema, path });
    for (const error of errors) this.#context.report(error);
  }

  /** A default of a part of the metadata is checked within an object that has nothing else. */
  #metadataErrors(value: unknown, path: string, { around, schema }: Surroundings): readonly FieldError[] {
    const errors = this.#validator.embedded({ value: around(value), schema, path: '' });
    if (errors.length === 0) return [];
    return [fieldError.invalid(path, value, `must result in valid metadata: ${joined(errors)}`)];
  }

  #checkPruned(schema: StructuralSchema, path: string): void {
    const value = schema.default;
    if (!this.#hasUnknown(value, schema)) return;
    this.arePruned = false;
    if (this.#mustBePruned)
      this.#context.report(fieldError.invalid(path, value, 'must not have unknown fields'));
  }

  /** Reports whether storing a value would lose some of it. */
  #hasUnknown(value: unknown, schema: StructuralSchema): boolean {
    this.#budget.spend(1);
    const { additionalProperties, isEmbeddedResource, items, preservesUnknownFields, properties } = schema;
    if (Array.isArray(value)) return value.some((item) => this.#hasUnknown(item, items ?? {}));
    if (!isJsonObject(value)) return false;
    return Object.entries(value).some(([name, field]) => {
      const property = properties?.get(name);
      if (property !== undefined) return this.#hasUnknown(field, property);
      if (isEmbeddedResource === true && rootFields.has(name)) return false;
      if (preservesUnknownFields === true || additionalProperties === true) return false;
      return typeof additionalProperties === 'object' ? this.#hasUnknown(field, additionalProperties) : true;
    });
  }
}
