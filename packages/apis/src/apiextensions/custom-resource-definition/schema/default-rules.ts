import { asObject, fieldError, isJsonObject, type JsonObject, type Names } from '@orch/machinery';
import { type Budget, BudgetError, checkValue, readStructural } from '@orch/schema';
import type { SchemaContext } from './schema-context.ts';

const rootFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

export interface DefaultRulesOptions {
  /** Whether defaults may hold only what their schema knows. */
  readonly mustBePruned: boolean;
  readonly names: Names;
}

/** Looks at the defaults of a definition. */
export class DefaultRules {
  /** Whether every default holds nothing but what its schema knows. */
  arePruned = true;
  readonly #context: SchemaContext;
  readonly #budget: Budget;
  readonly #mustBePruned: boolean;
  readonly #names: Names;

  constructor(context: SchemaContext, budget: Budget, { mustBePruned, names }: DefaultRulesOptions) {
    this.#context = context;
    this.#names = names;
    this.#budget = budget;
    this.#mustBePruned = mustBePruned;
  }

  /** Every default is a value that its schema takes as it is (facts: CustomResourceDefinition). */
  check(schema: JsonObject, path: string): void {
    try {
      this.#walk(schema, path, { isRoot: true, inMetadata: false });
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      const why = 'the defaults are too much work to check against this schema';
      this.#context.report(fieldError.forbidden(path, why));
    }
  }

  #walk(
    schema: JsonObject,
    path: string,
    at: { readonly isRoot: boolean; readonly inMetadata: boolean },
  ): void {
    if (this.#context.full) return;
    this.#budget.spend(1);
    const isObjectOfApi = at.isRoot || schema[this.#context.keys.embeddedResource] === true;
    const inMetadata = at.inMetadata && !isObjectOfApi;
    if (schema['default'] !== undefined) this.#checkDefault(schema, `${path}.default`, inMetadata);
    for (const [name, property] of Object.entries(asObject(schema['properties']))) {
      this.#walk(asObject(property), `${path}.properties[${name}]`, {
        isRoot: false,
        inMetadata: inMetadata || (isObjectOfApi && rootFields.has(name)),
      });
    }
    for (const field of ['items', 'additionalProperties']) {
      if (isJsonObject(schema[field]))
        this.#walk(schema[field], `${path}.${field}`, { isRoot: false, inMetadata });
    }
  }

  #checkDefault(schema: JsonObject, path: string, inMetadata: boolean): void {
    const value = schema['default'];
    if (!inMetadata && this.#hasUnknown(value, schema)) {
      this.arePruned = false;
      if (this.#mustBePruned)
        this.#context.report(fieldError.invalid(path, value, 'must not have unknown fields'));
    }
    const structural = readStructural(schema, this.#names);
    for (const error of checkValue(value, structural, { budget: this.#budget, path })) {
      this.#context.report(error);
    }
  }

  /** Whether storing a value would lose some of it. */
  #hasUnknown(value: unknown, schema: JsonObject): boolean {
    this.#budget.spend(1);
    const { embeddedResource, preserveUnknownFields } = this.#context.keys;
    if (Array.isArray(value)) {
      const items = asObject(schema['items']);
      return value.some((item) => this.#hasUnknown(item, items));
    }
    if (!isJsonObject(value)) return false;
    const properties = asObject(schema['properties']);
    const others = schema['additionalProperties'];
    return Object.entries(value).some(([name, field]) => {
      if (Object.hasOwn(properties, name)) return this.#hasUnknown(field, asObject(properties[name]));
      if (schema[embeddedResource] === true && rootFields.has(name)) return false;
      if (schema[preserveUnknownFields] === true || others === true) return false;
      return isJsonObject(others) ? this.#hasUnknown(field, others) : true;
    });
  }
}
