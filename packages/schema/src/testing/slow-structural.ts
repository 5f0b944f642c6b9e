import type { Names } from '@orch/machinery';
import { cloneJson, isJsonObject, type JsonObject, jsonEquals, setField } from '@orch/machinery/json';

/**
 * Reference implementation of structural schemas, simple and slow: defaults, pruning and validity of plain JSON values. It
 * does not support formats, embedded objects, expressions and updates.
 */
export class SlowStructural {
  readonly #keys: Names['schemaExtensions'];

  constructor(names: Names) {
    this.#keys = names.schemaExtensions;
  }

  /** The value in stored form. */
  stored(value: unknown, schema: JsonObject): unknown {
    return this.#withoutNulls(this.#pruned(this.#defaulted(value, schema), schema, false), schema);
  }

  #fieldSchema({ additionalProperties, properties }: JsonObject, name: string): JsonObject | undefined {
    if (isJsonObject(properties) && Object.hasOwn(properties, name)) return properties[name] as JsonObject;
    if (additionalProperties === true) return {};
    return isJsonObject(additionalProperties) ? additionalProperties : undefined;
  }

  #fields(object: JsonObject, change: (name: string, value: unknown) => unknown): JsonObject {
    const changed = {};
    for (const [name, value] of Object.entries(object)) {
      const next = change(name, value);
      if (next !== undefined) setField(changed, name, next);
    }
    return changed;
  }

  #defaulted(value: unknown, schema: JsonObject): unknown {
    const present = (one: unknown, of: JsonObject): unknown => {
      const isReplaced =
        of['default'] !== undefined && (one === undefined || (one === null && of['nullable'] !== true));
      return this.#defaulted(isReplaced ? cloneJson(of['default']) : one, of);
    };
    if (Array.isArray(value))
      return value.map((item: unknown) => present(item, (schema['items'] ?? {}) as JsonObject));
    if (!isJsonObject(value)) return value;
    const all = cloneJson(value) as JsonObject;
    for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>))
      if (!Object.hasOwn(all, name) && property['default'] !== undefined)
        setField(all, name, cloneJson(property['default']));
    return this.#fields(all, (name, field) => present(field, this.#fieldSchema(schema, name) ?? {}));
  }

  #pruned(value: unknown, schema: JsonObject, inherited: boolean): unknown {
    const keeps = inherited || schema[this.#keys.preserveUnknownFields] === true;
    if (Array.isArray(value))
      return value.map((item: unknown) => this.#pruned(item, (schema['items'] ?? {}) as JsonObject, keeps));
    if (!isJsonObject(value)) return value;
    return this.#fields(value, (name, field) => {
      const known = this.#fieldSchema(schema, name);
      if (known !== undefined) return this.#pruned(field, known, false);
      return keeps ? field : undefined;
    });
  }

  #withoutNulls(value: unknown, schema: JsonObject): unknown {
    if (Array.isArray(value))
      return value.map((item: unknown) => this.#withoutNulls(item, (schema['items'] ?? {}) as JsonObject));
    if (!isJsonObject(value)) return value;
    const { additionalProperties, properties } = schema;
    return this.#fields(value, (name, field) => {
      const isOpen = additionalProperties === true && !Object.hasOwn((properties ?? {}) as object, name);
      const known = this.#fieldSchema(schema, name);
      if (known === undefined || isOpen) return field;
      if (field === null) return known['nullable'] === true ? null : undefined;
      return this.#withoutNulls(field, known);
    });
  }

  isValid(value: unknown, schema: JsonObject): boolean {
    const { allOf = [], anyOf, enum: allowed, not, oneOf } = schema as Record<string, readonly JsonObject[]>;
    const holds = (one: JsonObject): boolean => this.isValid(value, one);
    if (allowed !== undefined && !allowed.some((one) => value !== null && jsonEquals(one, value)))
      return false;
    if (!this.#hasType(value, schema)) return false;
    if (value === null) return true;
    if (!allOf.every(holds) || (anyOf !== undefined && !anyOf.some(holds))) return false;
    if (oneOf !== undefined && oneOf.filter(holds).length !== 1) return false;
    if (not !== undefined && holds(not as unknown as JsonObject)) return false;
    if (typeof value === 'string') return this.#isValidText(value, schema);
    if (typeof value === 'number') return this.#isValidNumber(value, schema);
    if (Array.isArray(value)) return this.#isValidList(value, schema);
    return isJsonObject(value) ? this.#isValidObject(value, schema) : true;
  }

  #hasType(value: unknown, { nullable, type, ...schema }: JsonObject): boolean {
    const types =
      schema[this.#keys.intOrString] === true ? ['integer', 'string'] : type === undefined ? [] : [type];
    if (types.length === 0 || (value === null && nullable === true)) return true;
    if (value === null) return false;
    if (typeof value === 'number')
      return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
    return types.includes(Array.isArray(value) ? 'array' : typeof value);
  }

  #isValidText(text: string, schema: JsonObject): boolean {
    const {
      maxLength = Number.POSITIVE_INFINITY,
      minLength = 0,
      pattern = '',
    } = schema as Record<string, number>;
    const { length } = [...text];
    return length <= maxLength && length >= minLength && new RegExp(String(pattern), 'u').test(text);
  }

  /** A whole number is compared with the whole part of the bounds. */
  #isValidNumber(number: number, schema: JsonObject): boolean {
    const { maximum, minimum, multipleOf } = schema as Record<string, number | undefined>;
    const bound = (limit: number): number => (Number.isInteger(number) ? Math.trunc(limit) : limit);
    const above = maximum !== undefined && number - bound(maximum);
    const below = minimum !== undefined && bound(minimum) - number;
    if (above !== false && (above > 0 || (above === 0 && schema['exclusiveMaximum'] === true))) return false;
    if (below !== false && (below > 0 || (below === 0 && schema['exclusiveMinimum'] === true))) return false;
    if (multipleOf === undefined) return true;
    const factor = bound(multipleOf);
    return factor > 0 && Math.abs(number / factor - Math.round(number / factor)) < 1e-9;
  }

  #isValidList(list: readonly unknown[], schema: JsonObject): boolean {
    const { maxItems = Number.POSITIVE_INFINITY, minItems = 0 } = schema as Record<string, number>;
    if (list.length > maxItems || list.length < minItems) return false;
    const items = schema['items'] as JsonObject | undefined;
    if (items !== undefined && !list.every((item) => this.isValid(item, items))) return false;
    const listType = schema[this.#keys.listType];
    if (listType === 'set') return allDiffer(list);
    if (listType !== 'map') return true;
    const keys = schema[this.#keys.listMapKeys] as readonly string[];
    if (!list.every((item) => item === null || isJsonObject(item))) return false;
    return allDiffer(list.map((item) => keys.map((key) => (item as JsonObject | null)?.[key] ?? null)));
  }

  #isValidObject(object: JsonObject, schema: JsonObject): boolean {
    const { maxProperties = Number.POSITIVE_INFINITY, minProperties = 0 } = schema as Record<string, number>;
    const names = Object.keys(object);
    if (names.length > maxProperties || names.length < minProperties) return false;
    const required = (schema['required'] ?? []) as readonly string[];
    if (!required.every((name) => Object.hasOwn(object, name))) return false;
    return names.every((name) => this.isValid(object[name], this.#fieldSchema(schema, name) ?? {}));
  }
}

const allDiffer = (values: readonly unknown[]): boolean =>
  values.every((value, i) => !values.slice(0, i).some((other) => jsonEquals(other, value)));
