import { approximateNumber, type FieldError, fieldError, isJsonObject, jsonEquals } from '@orch/machinery';
import type { Budget } from '@orch/schema';
import { compilePattern, type Pattern } from '@orch/schema';
import { asObject, asObjects, asStrings, asText, type JsonObject } from '../../../read.ts';
import { formatProblem } from './value-formats.ts';

/** What checking a value needs beside the value and its schema. */
export interface ValueCheckOptions {
  /** Name of the extension. */
  readonly intOrString: string;
  readonly budget: Budget;
  /** Patterns that were read already, by their text. */
  readonly patterns: Map<string, Pattern | string>;
  /** Takes everything that is wrong; without it the check ends with the first thing. */
  readonly report?: (error: FieldError) => void;
}

const isInteger = (value: unknown): boolean => Number.isInteger(approximateNumber(value));

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return isInteger(value);
    case 'number':
      return approximateNumber(value) !== undefined;
    default:
      return true;
  }
}

function typeProblem(value: unknown, schema: JsonObject, intOrString: string): string | undefined {
  if (value === null && schema['nullable'] === true) return undefined;
  if (schema[intOrString] === true) {
    return typeof value === 'string' || isInteger(value) ? undefined : 'must be of type integer or string';
  }
  const type = asText(schema['type']);
  return type === '' || isOfType(value, type) ? undefined : `must be of type ${type}`;
}

/**
 * Checks a JSON value against a schema. Work is bounded by the budget, whatever the two are.
 */
export class ValueCheck {
  /** Whether anything was wrong. */
  failed = false;
  readonly #options: ValueCheckOptions;

  constructor(options: ValueCheckOptions) {
    this.#options = options;
  }

  check(value: unknown, schema: JsonObject, path: string): void {
    if (this.#isDone) return;
    this.#options.budget.spend(1);
    const wrongType = typeProblem(value, schema, this.#options.intOrString);
    if (wrongType !== undefined) {
      this.#invalid(path, value, wrongType);
      return;
    }
    if (value === null && schema['nullable'] === true) return;
    this.#checkEnum(value, schema, path);
    if (typeof value === 'string') this.#checkString(value, schema, path);
    else if (Array.isArray(value)) this.#checkArray(value, schema, path);
    else if (isJsonObject(value)) this.#checkObject(value, schema, path);
    else this.#checkNumber(value, schema, path);
    this.#checkCombinations(value, schema, path);
  }

  /** Nobody wants to know more than that something is wrong. */
  get #isDone(): boolean {
    return this.failed && this.#options.report === undefined;
  }

  #invalid(path: string, value: unknown, problem: string): void {
    this.failed = true;
    this.#options.report?.(fieldError.invalid(path, value, problem));
  }

  #checkEnum(value: unknown, schema: JsonObject, path: string): void {
    const allowed = schema['enum'];
    if (!Array.isArray(allowed) || allowed.length === 0) return;
    this.#options.budget.spend(allowed.length);
    if (allowed.some((one: unknown) => jsonEquals(one, value))) return;
    this.failed = true;
    this.#options.report?.(fieldError.notSupported(path, value, []));
  }

  #checkSize(size: number, { most, least, what }: Bounds, path: string): void {
    if (typeof most === 'number' && size > most)
      this.#invalid(path, size, `must have at most ${most} ${what}`);
    if (typeof least === 'number' && size < least)
      this.#invalid(path, size, `must have at least ${least} ${what}`);
  }

  #checkString(value: string, schema: JsonObject, path: string): void {
    const { maxLength: most, minLength: least } = schema;
    this.#options.budget.spend(value.length >> 4);
    if (most !== undefined || least !== undefined)
      this.#checkSize([...value].length, { most, least, what: 'characters' }, path);
    const pattern = asText(schema['pattern']);
    const compiled = pattern === '' ? undefined : this.#pattern(pattern);
    if (typeof compiled === 'object' && !compiled.matches(value, this.#options.budget))
      this.#invalid(path, value, `should match '${pattern}'`);
    const wrongFormat = formatProblem(asText(schema['format']), value);
    if (wrongFormat !== undefined) this.#invalid(path, value, wrongFormat);
  }

  #pattern(text: string): Pattern | string {
    const { budget, patterns } = this.#options;
    const known = patterns.get(text);
    if (known !== undefined) return known;
    budget.spend(text.length);
    const compiled = compilePattern(text);
    patterns.set(text, compiled);
    return compiled;
  }

  #checkNumber(value: unknown, schema: JsonObject, path: string): void {
    const number = approximateNumber(value);
    if (number === undefined) return;
    const maximum = approximateNumber(schema['maximum']);
    const minimum = approximateNumber(schema['minimum']);
    const multipleOf = approximateNumber(schema['multipleOf']);
    if (
      maximum !== undefined &&
      (number > maximum || (number === maximum && schema['exclusiveMaximum'] === true))
    )
      this.#invalid(path, value, `must not be above ${maximum}${exclusively(schema['exclusiveMaximum'])}`);
    if (
      minimum !== undefined &&
      (number < minimum || (number === minimum && schema['exclusiveMinimum'] === true))
    )
      this.#invalid(path, value, `must not be below ${minimum}${exclusively(schema['exclusiveMinimum'])}`);
    if (multipleOf !== undefined && !Number.isInteger(number / multipleOf))
      this.#invalid(path, value, `should be a multiple of ${multipleOf}`);
  }

  #checkArray(value: readonly unknown[], schema: JsonObject, path: string): void {
    this.#checkSize(
      value.length,
      { most: schema['maxItems'], least: schema['minItems'], what: 'items' },
      path,
    );
    const items = asObject(schema['items']);
    for (let i = 0; i < value.length && !this.#isDone; i++) this.check(value[i], items, `${path}[${i}]`);
  }

  #checkObject(value: JsonObject, schema: JsonObject, path: string): void {
    const members = Object.entries(value);
    const { maxProperties: most, minProperties: least } = schema;
    this.#checkSize(members.length, { most, least, what: 'properties' }, path);
    for (const name of asStrings(schema['required'])) {
      this.#options.budget.spend(1);
      if (Object.hasOwn(value, name)) continue;
      this.failed = true;
      this.#options.report?.(fieldError.required(`${path}.${name}`));
    }
    const properties = asObject(schema['properties']);
    const others = asObject(schema['additionalProperties']);
    for (const [name, member] of members) {
      const known = Object.hasOwn(properties, name) ? asObject(properties[name]) : others;
      this.check(member, known, `${path}.${name}`);
    }
  }

  #checkCombinations(value: unknown, schema: JsonObject, path: string): void {
    const { allOf, anyOf, oneOf, not } = schema;
    if (allOf !== undefined) for (const one of asObjects(allOf)) this.check(value, one, path);
    if (anyOf !== undefined && !asObjects(anyOf).some((one) => this.#isValid(value, one)))
      this.#invalid(path, value, 'must validate at least one schema (anyOf)');
    if (oneOf !== undefined && asObjects(oneOf).filter((one) => this.#isValid(value, one)).length !== 1)
      this.#invalid(path, value, 'must validate one and only one schema (oneOf)');
    if (not !== undefined && this.#isValid(value, asObject(not)))
      this.#invalid(path, value, 'must not validate the schema (not)');
  }

  #isValid(value: unknown, schema: JsonObject): boolean {
    const { intOrString, budget, patterns } = this.#options;
    const inner = new ValueCheck({ intOrString, budget, patterns });
    inner.check(value, schema, '');
    return !inner.failed;
  }
}

interface Bounds {
  readonly most: unknown;
  readonly least: unknown;
  readonly what: string;
}

const exclusively = (flag: unknown): string => (flag === true ? ', nor at it' : '');
