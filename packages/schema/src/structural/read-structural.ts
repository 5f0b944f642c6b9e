import { approximateNumber, isJsonObject, type JsonObject, type Names } from '@orch/machinery';
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

  constructor(names: Names) {
    this.#keys = names.schemaExtensions;
  }

  read(props: JsonObject): StructuralSchema {
    const keys = this.#keys;
    const isList = props['type'] === 'array' || props['items'] !== undefined;
    const schema = compact<StructuralSchema>({
      type: text(props['type']),
      nullable: flag(props['nullable']),
      default: props['default'] ?? undefined,
      properties: this.#properties(props['properties']),
      additionalProperties: this.#schemaOrBool(props['additionalProperties']),
      items: isJsonObject(props['items']) ? this.read(props['items']) : undefined,
      preservesUnknownFields: flag(props[keys.preserveUnknownFields]),
      isEmbeddedResource: flag(props[keys.embeddedResource]),
      isIntOrString: flag(props[keys.intOrString]),
      listType: isList ? oneOf(props[keys.listType], ['atomic', 'set', 'map']) : undefined,
      mapKeys: nonEmpty(strings(props[keys.listMapKeys])),
      mapType: oneOf(props[keys.mapType], ['atomic', 'granular']),
      rules: this.#rules(props),
      validations: validationsOf(props[keys.validations]),
    });
    return schema ?? {};
  }

  #rules(props: JsonObject): ValueRules | undefined {
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
      allOf: this.#list(props['allOf']),
      anyOf: this.#list(props['anyOf']),
      oneOf: this.#list(props['oneOf']),
      not: isJsonObject(props['not']) ? this.read(props['not']) : undefined,
    });
  }

  #list(value: unknown): readonly StructuralSchema[] | undefined {
    return Array.isArray(value)
      ? nonEmpty(value.filter(isJsonObject).map((one) => this.read(one)))
      : undefined;
  }

  #schemaOrBool(value: unknown): StructuralSchema | boolean | undefined {
    if (typeof value === 'boolean') return value;
    return isJsonObject(value) ? this.read(value) : undefined;
  }

  /** In the order in which fields of objects are stored. */
  #properties(value: unknown): ReadonlyMap<string, StructuralSchema> | undefined {
    if (!isJsonObject(value)) return undefined;
    const properties = new Map<string, StructuralSchema>();
    for (const name of sortBytewise(Object.keys(value))) {
      const property = value[name];
      if (isJsonObject(property)) properties.set(name, this.read(property));
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
  new StructuralReader(names).read(openApiV3Schema);
