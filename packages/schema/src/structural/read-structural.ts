import type { Names } from '@orch/machinery';
import { atOnce, Pace, type Work } from '@orch/machinery/concurrency';
import { approximateNumber, isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { StructuralSchema, ValidationRule, ValueRules } from '../structural-schema.ts';
import { sortBytewise } from '../walk/sort-bytewise.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const flag = (value: unknown): true | undefined => (value === true ? true : undefined);

const oneOf = <T extends string>(value: unknown, allowed: readonly T[]): T | undefined =>
  allowed.find((one) => one === value);

const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one: unknown) => typeof one === 'string') : [];

/** Removes undefined fields, so that a schema takes memory only for its keywords. */
function compact<T extends object>(fields: T): T | undefined {
  const kept: Mutable<T> = {} as Mutable<T>;
  let isEmpty = true;
  for (const name in fields) {
    if (fields[name] === undefined) continue;
    kept[name] = fields[name];
    isEmpty = false;
  }
  return isEmpty ? undefined : kept;
}

const nonEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

/** Reads schemas of custom resources, with the extensions under the names of one naming. */
class StructuralReader {
  readonly #keys: Names['schemaExtensions'];
  readonly #pace = new Pace();

  constructor(names: Names) {
    this.#keys = names.schemaExtensions;
  }

  *read(props: JsonObject): Work<StructuralSchema> {
    if (this.#pace.isDue()) yield;
    const keys = this.#keys;
    const isList = props['type'] === 'array' || props['items'] !== undefined;
    const schema = compact<StructuralSchema>({
      type: text(props['type']),
      nullable: flag(props['nullable']),
      default: props['default'] ?? undefined,
      properties: yield* this.#properties(props['properties']),
      additionalProperties: yield* this.#schemaOrBool(props['additionalProperties']),
      items: isJsonObject(props['items']) ? yield* this.read(props['items']) : undefined,
      preservesUnknownFields: flag(props[keys.preserveUnknownFields]),
      isEmbeddedResource: flag(props[keys.embeddedResource]),
      isIntOrString: flag(props[keys.intOrString]),
      listType: isList ? oneOf(props[keys.listType], ['atomic', 'set', 'map']) : undefined,
      mapKeys: nonEmpty(strings(props[keys.listMapKeys])),
      mapType: oneOf(props[keys.mapType], ['atomic', 'granular']),
      rules: yield* this.#rules(props),
      validations: validationsOf(props[keys.validations]),
    });
    return schema ?? {};
  }

  *#rules(props: JsonObject): Work<ValueRules | undefined> {
    return compact<ValueRules>({
      format: text(props['format']),
      maximum: approximateNumber(props['maximum']),
      exclusiveMaximum: flag(props['exclusiveMaximum']),
      minimum: approximateNumber(props['minimum']),
      exclusiveMinimum: flag(props['exclusiveMinimum']),
      multipleOf: approximateNumber(props['multipleOf']),
      maxLength: approximateNumber(props['maxLength']),
      minLength: approximateNumber(props['minLength']),
      pattern: text(props['pattern']),
      maxItems: approximateNumber(props['maxItems']),
      minItems: approximateNumber(props['minItems']),
      uniqueItems: flag(props['uniqueItems']),
      maxProperties: approximateNumber(props['maxProperties']),
      minProperties: approximateNumber(props['minProperties']),
      required: nonEmpty(strings(props['required'])),
      enum: Array.isArray(props['enum']) ? nonEmpty(props['enum']) : undefined,
      allOf: yield* this.#list(props['allOf']),
      anyOf: yield* this.#list(props['anyOf']),
      oneOf: yield* this.#list(props['oneOf']),
      not: isJsonObject(props['not']) ? yield* this.read(props['not']) : undefined,
    });
  }

  *#list(value: unknown): Work<readonly StructuralSchema[] | undefined> {
    if (!Array.isArray(value)) return undefined;
    const schemas: StructuralSchema[] = [];
    for (const one of value.filter(isJsonObject)) schemas.push(yield* this.read(one));
    return nonEmpty(schemas);
  }

  *#schemaOrBool(value: unknown): Work<StructuralSchema | boolean | undefined> {
    if (typeof value === 'boolean') return value;
    return isJsonObject(value) ? yield* this.read(value) : undefined;
  }

  /** In the order in which fields of objects are stored. */
  *#properties(value: unknown): Work<ReadonlyMap<string, StructuralSchema> | undefined> {
    if (!isJsonObject(value)) return undefined;
    const properties = new Map<string, StructuralSchema>();
    for (const name of sortBytewise(Object.keys(value))) {
      const property = value[name];
      if (isJsonObject(property)) properties.set(name, yield* this.read(property));
    }
    return properties.size === 0 ? undefined : properties;
  }
}

function validationsOf(value: unknown): readonly ValidationRule[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const rules = value.filter(isJsonObject).map((rule): ValidationRule => {
    const { message, messageExpression, reason, fieldPath } = rule;
    const read = compact<ValidationRule>({
      rule: text(rule['rule']) ?? '',
      message: text(message),
      messageExpression: text(messageExpression),
      reason: text(reason),
      fieldPath: text(fieldPath),
      optionalOldSelf: flag(rule['optionalOldSelf']),
    });
    return read ?? { rule: '' };
  });
  return nonEmpty(rules);
}

/**
 * Reads an `openAPIV3Schema` that was decoded and found structural. Recursion is as deep as the decoded value, which the
 * decoder limits. Descriptions, titles, examples and other documentation are not kept.
 */
export const readStructural = (openApiV3Schema: JsonObject, names: Names): StructuralSchema =>
  atOnce(structuralReading(openApiV3Schema, names));

/** As `readStructural`, in pieces. */
export const structuralReading = (openApiV3Schema: JsonObject, names: Names): Work<StructuralSchema> =>
  new StructuralReader(names).read(openApiV3Schema);
