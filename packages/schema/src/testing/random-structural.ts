import type { Names, Random } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';

type Props = Record<string, unknown>;

const fieldNames = ['a', 'b', 'c', 'name', 'size', '__proto__', 'constructor', 'x.y', 'p/q'];
const texts = ['', 'a', 'ab', 'abc', 'x-1', '\u{1f600}\u{1f600}', '2024-01-01', '10.0.0.1', 'aGk='];
const numbers = [-3, 0, 1, 2, 3.5, 10, 0.25, 9007199254740991];
const formats = ['date', 'date-time', 'ipv4', 'byte', 'int32', 'double', 'uuid', 'unheard-of'];

const reasons = ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'];
const expressions: Readonly<Record<string, readonly JsonObject[]>> = {
  string: [
    { rule: 'self.size() < 3' },
    { rule: "self.startsWith('a')", messageExpression: "'not ' + self" },
    { rule: "self.matches('^[a-z]*$')", message: ' no other characters ' },
  ],
  integer: [
    { rule: 'self > 1', messageExpression: "string(self) + ' is too small'" },
    { rule: '6 / self > 1' },
  ],
  number: [{ rule: 'self < 3.0' }],
  boolean: [{ rule: 'self' }],
};
const sized: readonly JsonObject[] = [
  { rule: 'size(self) < 2' },
  { rule: 'size(self) != 1', messageExpression: "''" },
];

/** Rules about changes: one that holds on creation, and one that is evaluated there too. */
const changesOf = (rule: string): readonly JsonObject[] => [
  { rule: rule.replace('%', 'oldSelf'), message: 'cannot change' },
  { rule: `!oldSelf.hasValue() || ${rule.replace('%', 'oldSelf.value()')}`, optionalOldSelf: true },
];

/**
 * Generates structural schemas, and values that match them more often than not. Every choice comes from the random
 * source.
 */
export class RandomStructural {
  readonly #random: Random;
  readonly #keys: Names['schemaExtensions'];

  constructor(random: Random, names: Names) {
    this.#random = random;
    this.#keys = names.schemaExtensions;
  }

  /** An `openAPIV3Schema`: an object with spec, status and some rules. */
  rootSchema(): JsonObject {
    const spec = this.#object(3);
    const status = this.schema(2);
    return {
      type: 'object',
      properties: { spec, status, ...(this.#chance(3) ? { extra: this.schema(2) } : {}) },
      ...(this.#chance(3) ? { required: ['spec'] } : {}),
      ...(this.#chance(8) ? { [this.#keys.preserveUnknownFields]: true } : {}),
    };
  }

  /** A schema with at most this number of levels below. */
  schema(depth: number): JsonObject {
    const kinds: readonly (() => Props)[] = [
      () => this.#string(),
      () => this.#number('integer'),
      () => this.#number('number'),
      () => ({ type: 'boolean' }),
      () => ({ [this.#keys.intOrString]: true }),
      () => ({ [this.#keys.preserveUnknownFields]: true }),
      ...(depth <= 0
        ? []
        : [
            () => this.#object(depth),
            () => this.#object(depth),
            () => this.#map(depth),
            () => this.#list(depth),
            () => this.#list(depth),
            () => this.#embedded(depth),
          ]),
    ];
    const schema = this.#pick(kinds)();
    if (this.#chance(4)) schema['nullable'] = true;
    this.#addCombination(schema);
    this.#addRules(schema);
    if (this.#chance(4)) schema['default'] = this.value(schema, depth) ?? undefined;
    if (schema['default'] === undefined) delete schema['default'];
    return schema;
  }

  /** A value for a schema, mostly of its type. */
  value(schema: JsonObject, depth = 4): unknown {
    if (this.#chance(12)) return this.#anything(2);
    if (this.#chance(14)) return null;
    if (schema[this.#keys.intOrString] === true)
      return this.#chance(2) ? this.#pick(texts) : this.#wholeNumber();
    switch (schema['type']) {
      case 'string':
        return this.#chance(3) && Array.isArray(schema['enum'])
          ? this.#pick(schema['enum'] as readonly unknown[])
          : this.#pick(texts);
      case 'integer':
        return this.#wholeNumber();
      case 'number':
        return this.#pick(numbers);
      case 'boolean':
        return this.#chance(2);
      case 'array':
        return this.#times(4, () => this.value(schema['items'] as JsonObject, depth - 1));
      case 'object':
        return this.objectValue(schema, depth);
      default:
        return this.#anything(2);
    }
  }

  /** The same value with some parts exchanged, as an update might bring it. */
  changed(value: unknown, schema: JsonObject): unknown {
    if (this.#chance(4)) return this.value(schema);
    const properties = schema['properties'] as Readonly<Record<string, JsonObject>> | undefined;
    const others = schema['additionalProperties'] as JsonObject | undefined;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, field]) => {
          const known =
            properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : others;
          return [name, typeof known === 'object' ? this.changed(field, known) : field];
        }),
      );
    }
    const items = schema['items'] as JsonObject | undefined;
    if (!Array.isArray(value) || items === undefined) return value;
    const list = value.map((item: unknown) => this.changed(item, items));
    return this.#chance(3) ? list.reverse() : list;
  }

  /** An object for a schema of type object. */
  objectValue(schema: JsonObject, depth = 4): JsonObject {
    const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>);
    const known = properties
      .filter(() => !this.#chance(4))
      .map(([name, property]) => [name, this.value(property, depth - 1)] as const);
    const others = schema['additionalProperties'];
    const count = others === undefined ? (this.#chance(4) ? 1 : 0) : 3;
    const free = this.#times(count, () => {
      const value =
        typeof others === 'object' ? this.value(others as JsonObject, depth - 1) : this.#anything(1);
      return [this.#pick(fieldNames), value] as const;
    });
    const embedded = schema[this.#keys.embeddedResource] === true ? this.#typeAndMetadata() : {};
    return { ...Object.fromEntries([...free, ...known]), ...embedded };
  }

  #string(): Props {
    return {
      type: 'string',
      ...(this.#chance(4) ? { maxLength: this.#random.int(4) } : {}),
      ...(this.#chance(5) ? { minLength: this.#random.int(3) } : {}),
      ...(this.#chance(5) ? { pattern: this.#pick(['^[a-c]+$', 'x', '^.{2}$', '(a|b)*c']) } : {}),
      ...(this.#chance(5) ? { format: this.#pick(formats) } : {}),
      ...(this.#chance(6) ? { enum: ['a', 'abc', ''] } : {}),
    };
  }

  #number(type: string): Props {
    return {
      type,
      ...(this.#chance(4) ? { maximum: this.#pick(numbers), exclusiveMaximum: this.#chance(2) } : {}),
      ...(this.#chance(4) ? { minimum: this.#pick(numbers), exclusiveMinimum: this.#chance(2) } : {}),
      ...(this.#chance(5) ? { multipleOf: this.#pick([1, 2, 0.5, 0.1]) } : {}),
      ...(this.#chance(8) ? { enum: [1, 2, 10] } : {}),
      ...(this.#chance(6) ? { format: this.#pick(formats) } : {}),
    };
  }

  #object(depth: number): Props {
    const names = [...new Set(this.#times(5, () => this.#pick(fieldNames)))];
    const properties = Object.fromEntries(names.map((name) => [name, this.schema(depth - 1)]));
    return {
      type: 'object',
      properties,
      ...(this.#chance(3) && names.length > 0 ? { required: [this.#pick(names)] } : {}),
      ...(this.#chance(8) ? { maxProperties: 2 } : {}),
      ...(this.#chance(8) ? { minProperties: 1 } : {}),
      ...(this.#chance(6) ? { [this.#keys.preserveUnknownFields]: true } : {}),
    };
  }

  /** An object of the API within another one. */
  #embedded(depth: number): Props {
    const properties = { spec: this.schema(depth - 1) };
    return {
      type: 'object',
      [this.#keys.embeddedResource]: true,
      ...(this.#chance(2) ? { [this.#keys.preserveUnknownFields]: true } : { properties }),
    };
  }

  /** Type and metadata of an embedded object, now and then wrong. */
  #typeAndMetadata(): JsonObject {
    const fields: readonly (readonly [string, unknown])[] = [
      ['apiVersion', this.#pick(['v1', 'apps/v1', '', 'a/b/c'])],
      ['kind', this.#pick(['Pod', 'my-Kind', '', 'a b'])],
      ['metadata', this.#metadata()],
    ];
    return Object.fromEntries(fields.filter(() => !this.#chance(5)));
  }

  #metadata(): JsonObject {
    const fields: readonly (readonly [string, unknown])[] = [
      ['name', this.#pick(['a', 'A b', ''])],
      ['namespace', this.#pick(['n', 'N/'])],
      ['labels', this.#pick([{ a: 'b' }, { 'a b': 'c' }, {}])],
      ['annotations', { 'a/b': 'c' }],
      ['finalizers', this.#pick([['a.b/c'], ['x y']])],
      ['unknown', 1],
    ];
    return Object.fromEntries(fields.filter(() => this.#chance(3)));
  }

  #map(depth: number): Props {
    return { type: 'object', additionalProperties: this.#chance(8) ? true : this.schema(depth - 1) };
  }

  #list(depth: number): Props {
    const bounds = {
      ...(this.#chance(6) ? { maxItems: 2 } : {}),
      ...(this.#chance(6) ? { minItems: 1 } : {}),
    };
    if (this.#chance(3)) {
      const key = { type: 'string', default: 'a' };
      const properties = { name: key, size: this.schema(depth - 2) };
      const items = { type: 'object', properties };
      return {
        type: 'array',
        items,
        ...bounds,
        [this.#keys.listType]: 'map',
        [this.#keys.listMapKeys]: ['name'],
      };
    }
    if (this.#chance(3)) {
      return { type: 'array', items: { type: 'string' }, ...bounds, [this.#keys.listType]: 'set' };
    }
    return { type: 'array', items: this.schema(depth - 1), ...bounds };
  }

  /** Rules that only restrict: they name only fields of the structure. */
  #addCombination(schema: Props): void {
    if (!this.#chance(5)) return;
    const rule = (): JsonObject => {
      const properties = Object.keys((schema['properties'] ?? {}) as object);
      const [first] = properties;
      const rules: readonly JsonObject[] = [
        { maxLength: 2 },
        { minimum: 1 },
        { enum: ['a', 1, true] },
        { maxItems: 1 },
        ...(first === undefined
          ? []
          : [{ required: [first] }, { properties: { [first]: { maxLength: 1 } } }]),
      ];
      return this.#pick(rules);
    };
    const field = this.#pick(['allOf', 'anyOf', 'oneOf', 'not']);
    schema[field] = field === 'not' ? rule() : [rule(), rule()];
  }

  /** Expressions that compile for values of the type. */
  #addRules(schema: Props): void {
    const rules = this.#expressionsFor(schema);
    if (rules.length === 0 || !this.#chance(6)) return;
    const reason = this.#chance(3) ? { reason: this.#pick(reasons) } : {};
    schema[this.#keys.validations] = [{ ...this.#pick(rules), ...reason }];
  }

  #expressionsFor({ additionalProperties, properties, type }: Props): readonly JsonObject[] {
    if (type === 'array') return [...sized, ...changesOf('size(self) >= size(%)')];
    if (type !== 'object') {
      const own = expressions[String(type)];
      return own === undefined ? [] : [...own, ...changesOf('self == %')];
    }
    if (typeof additionalProperties === 'object' && 'type' in (additionalProperties as object)) return sized;
    return ['name', 'size', 'constructor']
      .filter((name) => Object.hasOwn((properties ?? {}) as object, name))
      .map((name) => ({ rule: `has(self.${name})`, fieldPath: `.${name}` }));
  }

  #anything(depth: number): unknown {
    const values: readonly (() => unknown)[] = [
      () => this.#pick(texts),
      () => this.#pick(numbers),
      () => this.#chance(2),
      ...(depth <= 0
        ? []
        : [
            () => this.#times(2, () => this.#anything(depth - 1)),
            () => Object.fromEntries([[this.#pick(fieldNames), this.#anything(depth - 1)]]),
          ]),
    ];
    return this.#pick(values)();
  }

  #wholeNumber(): number {
    return this.#pick(numbers.filter(Number.isInteger));
  }

  #chance(of: number): boolean {
    return this.#random.int(of) === 0;
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#random.int(choices.length)] as T;
  }

  #times<T>(below: number, make: () => T): T[] {
    return Array.from({ length: this.#random.int(below + 1) }, make);
  }
}
