import { type Naming, namesFor } from '@orch/machinery';
import {
  approximateNumber,
  asList,
  asStrings,
  isExactNumber,
  isJsonObject,
  type JsonObject,
  objectAt,
} from '@orch/machinery/json';
import { expressionOf } from './pattern.ts';
import { formats } from './runtime/formats.ts';

/** The rules of a schema as plain values and regular expressions, in the form of `Rules` of a validator. */
export type PlainRules = Readonly<Record<string, unknown>>;

const numeric: ReadonlySet<string> = new Set(['float', 'float32', 'int32', 'int64', 'uint32', 'uint64']);

/** A value of the schema with plain numbers. */
function plainValue(value: unknown): unknown {
  if (isExactNumber(value)) return approximateNumber(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plainValue(field)]));
}

const flag = (value: unknown): true | undefined => (value === true ? true : undefined);
const nonEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

/** Reads the rules of schemas. */
export class RuleWriter {
  readonly #keys;
  /** Formats of strings that the rules name. */
  readonly formats = new Set<string>();
  /** Patterns that have no counterpart in this language. */
  readonly uncheckedPatterns = new Set<string>();

  constructor(naming: Naming) {
    this.#keys = namesFor(naming).schemaExtensions;
  }

  /** The rules for a whole object, which has a type and metadata besides. */
  ofObject(schema: JsonObject): PlainRules {
    const { properties = {}, ...rules } = this.of(schema);
    const own = Object.entries(properties as object).filter(
      ([name, one]) =>
        !['apiVersion', 'kind', 'metadata'].includes(name) || Object.keys(one as object).length > 1,
    );
    return { ...rules, isEmbedded: true, properties: Object.fromEntries(own) };
  }

  of(schema: JsonObject): PlainRules {
    const isIntOrString = schema[this.#keys.intOrString] === true;
    const listType = schema[this.#keys.listType];
    const rules: PlainRules = {
      type: isIntOrString ? 'intOrString' : schema['type'] || undefined,
      nullable: flag(schema['nullable']),
      default: plainValue(schema['default']) ?? undefined,
      isOpen: flag(schema[this.#keys.preserveUnknownFields]),
      isEmbedded: flag(schema[this.#keys.embeddedResource]),
      listType: listType === 'set' || listType === 'map' ? listType : undefined,
      mapKeys: nonEmpty(asStrings(schema[this.#keys.listMapKeys])),
      ...this.#ofScalars(schema),
      ...this.#combinations(schema),
      ...this.#parts(schema),
    };
    return Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== undefined));
  }

  #ofScalars(schema: JsonObject): PlainRules {
    const numbers = ['maximum', 'minimum', 'multipleOf', 'maxLength', 'minLength', 'maxItems', 'minItems'];
    return {
      ...Object.fromEntries(
        [...numbers, 'maxProperties', 'minProperties'].map((name) => [name, approximateNumber(schema[name])]),
      ),
      exclusiveMaximum: flag(schema['exclusiveMaximum']),
      exclusiveMinimum: flag(schema['exclusiveMinimum']),
      uniqueItems: flag(schema['uniqueItems']),
      format: this.#format(schema['format']),
      pattern: this.#pattern(schema['pattern']),
      required: nonEmpty(asStrings(schema['required'])),
      enum: nonEmpty(asList(schema['enum']).map((value) => plainValue(value))),
    };
  }

  /** Undefined for formats without effect. */
  #format(format: unknown): string | undefined {
    if (typeof format !== 'string') return undefined;
    if (numeric.has(format)) return format;
    const name = format.replaceAll('-', '');
    if (!Object.hasOwn(formats, name)) return undefined;
    this.formats.add(name);
    return name;
  }

  #pattern(pattern: unknown): RegExp | undefined {
    if (typeof pattern !== 'string' || pattern === '') return undefined;
    const expression = expressionOf(pattern);
    if (expression === undefined) this.uncheckedPatterns.add(pattern);
    return expression;
  }

  #combinations(schema: JsonObject): PlainRules {
    const all = (value: unknown): readonly PlainRules[] | undefined =>
      nonEmpty(
        asList(value)
          .filter(isJsonObject)
          .map((one) => this.of(one)),
      );
    const { not } = schema;
    return {
      allOf: all(schema['allOf']),
      anyOf: all(schema['anyOf']),
      oneOf: all(schema['oneOf']),
      not: isJsonObject(not) ? this.of(not) : undefined,
    };
  }

  #parts(schema: JsonObject): PlainRules {
    const { additionalProperties: others, items } = schema;
    const properties = Object.entries(objectAt(schema, 'properties')).filter(([, one]) => isJsonObject(one));
    return {
      items: isJsonObject(items) ? this.of(items) : undefined,
      additionalProperties: isJsonObject(others)
        ? this.of(others)
        : typeof others === 'boolean'
          ? others
          : undefined,
      properties:
        properties.length === 0
          ? undefined
          : Object.fromEntries(properties.map(([name, one]) => [name, this.of(one as JsonObject)])),
    };
  }
}
