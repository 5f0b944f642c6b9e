import type { Random } from '@orch/machinery';

type JsonObject = Record<string, unknown>;

const formats = [
  'date',
  'date-time',
  'byte',
  'ipv4',
  'ipv6',
  'uuid',
  'email',
  'uri',
  'duration',
  'hostname',
  'int32',
  'cidr',
  'mac',
  'password',
  'bsonobjectid',
  'k8s-short-name',
  'foo',
];
const patterns = ['^a+$', '[0-9]', '^$', 'a|b', '^[a-z]{2,3}$'];
const fields = ['a', 'b', 'c', 'd', 'e-f', 'g.h'];
const rules: Readonly<Record<string, readonly string[]>> = {
  string: [
    'self != "x"',
    'self.size() < 3',
    'self.startsWith("a")',
    'self == oldSelf',
    'self.matches("^a")',
    'duration(self) > duration("1s")',
    'self < 1',
    'int(self) > 0',
    'url(self).getHost() == "a"',
  ],
  integer: [
    'self > 0',
    'self % 2 == 0',
    'self >= oldSelf',
    '10 / self > 1',
    'self.foo',
    'double(self) < 2.5',
    'self in [1, 2, 3]',
  ],
  number: ['self > 0.5', 'self < 10.0', 'self > 1'],
  boolean: ['self', '!self', 'self == true', 'self > 0'],
  array: [
    'self.size() < 2',
    'self.all(x, x == x)',
    'self.exists(x, x == self[0])',
    'size(self) > 0',
    'self[0] == self[1]',
    'self == oldSelf',
    'self.isSorted()',
    'self.map(x, x).size() > 0',
  ],
  object: [
    'true',
    'has(self.a)',
    'has(self.b) || has(self.c)',
    'self.a == self.b',
    '!has(self.e__dash__f)',
    'has(self.g__dot__h)',
    'self.c > 0',
    'size(self) < 2',
    'self.all(k, k != "a")',
    'self == oldSelf',
    'has(self.d) ? self.d : true',
    '1 +',
  ],
};
const reasons = [
  'FieldValueInvalid',
  'FieldValueForbidden',
  'FieldValueRequired',
  'FieldValueDuplicate',
  'Foo',
];

/** Structural schemas, and sometimes others that servers refuse. */
export class RandomSchemas {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.#random.int(values.length)] as T;
  }

  chance(share: number): boolean {
    return this.#random.int(1_000_000) < share * 1_000_000;
  }

  schema(depth = 0): JsonObject {
    const type =
      depth === 0
        ? 'object'
        : this.pick([
            'string',
            'string',
            'integer',
            'number',
            'boolean',
            'array',
            'array',
            'object',
            'object',
          ]);
    const schema: JsonObject = { type, ...this.#limits(type, depth) };
    if (this.chance(0.12)) schema['nullable'] = true;
    if (depth > 0 && this.chance(0.2)) schema['default'] = this.value(schema);
    if (depth > 0 && type !== 'object' && this.chance(0.1))
      schema['enum'] = [this.value(schema), this.value(schema)];
    if (this.chance(depth === 0 ? 0.3 : 0.18)) schema['x-kubernetes-validations'] = [this.#rule(type)];
    if (this.chance(0.06))
      schema[this.pick(['allOf', 'anyOf', 'oneOf'])] = [this.#limits(type, 9), this.#limits(type, 9)];
    if (this.chance(0.03)) schema['not'] = this.#limits(type, 9);
    if (depth > 0 && this.chance(0.03)) return { 'x-kubernetes-int-or-string': true };
    if (depth > 0 && this.chance(0.03)) return { 'x-kubernetes-preserve-unknown-fields': true };
    return schema;
  }

  #rule(type: string): JsonObject {
    const rule: JsonObject = {
      rule: this.pick(this.chance(0.92) ? (rules[type] ?? ['true']) : ['self.x', '"a"', '', 'foo()']),
    };
    if (this.chance(0.3)) rule['message'] = this.pick(['wrong', '', ' a', 'a\nb']);
    if (this.chance(0.2))
      rule['messageExpression'] = this.pick([
        '"was " + string(self)',
        '"fixed"',
        '1',
        'self',
        '""',
        '"a\\nb"',
      ]);
    if (this.chance(0.2)) rule['reason'] = this.pick(reasons);
    if (type === 'object' && this.chance(0.3))
      rule['fieldPath'] = this.pick(['.a', '.b', '.x', 'a', '.a.b', "['e-f']", '.g.h', '']);
    if (this.chance(0.15)) rule['optionalOldSelf'] = true;
    return rule;
  }

  #limits(type: string, depth: number): JsonObject {
    switch (type) {
      case 'string':
        return this.#some({ minLength: [0, 1, 2], maxLength: [1, 2, 5], pattern: patterns, format: formats });
      case 'integer':
      case 'number':
        return this.#some({
          minimum: [0, 1, -1],
          maximum: [1, 3, 10],
          exclusiveMinimum: [true],
          exclusiveMaximum: [true],
          multipleOf: [2, 3],
          format: ['int32', 'int64', 'double', 'float'],
        });
      case 'array':
        return {
          ...this.#some({ minItems: [0, 1], maxItems: [1, 2, 3] }),
          ...(depth > 8 ? {} : this.#items(depth)),
        };
      case 'object':
        return depth > 8 ? {} : this.#members(depth);
      default:
        return {};
    }
  }

  #items(depth: number): JsonObject {
    if (this.chance(0.3)) {
      const items = {
        type: 'object',
        properties: { a: { type: 'string' }, b: this.schema(depth + 3), c: { type: 'integer', default: 1 } },
        required: ['a'],
      };
      return {
        items,
        'x-kubernetes-list-type': this.pick(['map', 'map', 'atomic', 'set']),
        ...(this.chance(0.85)
          ? { 'x-kubernetes-list-map-keys': this.pick([['a'], ['a', 'c'], ['x'], ['a', 'a']]) }
          : {}),
      };
    }
    return {
      items: this.schema(depth + 2),
      ...this.#some({ 'x-kubernetes-list-type': ['set', 'atomic'], uniqueItems: [false] }),
    };
  }

  #members(depth: number): JsonObject {
    if (depth > 4) return { 'x-kubernetes-preserve-unknown-fields': true };
    if (depth > 0 && this.chance(0.25))
      return {
        additionalProperties: this.chance(0.1) ? true : this.schema(depth + 1),
        ...this.#some({ minProperties: [1], maxProperties: [1, 2] }),
      };
    const names = fields.filter(() => this.chance(0.5));
    return {
      properties: Object.fromEntries(names.map((name) => [name, this.schema(depth + 1)])),
      ...(this.chance(0.25) && names.length > 0 ? { required: [this.pick(names)] } : {}),
      ...this.#some({
        'x-kubernetes-preserve-unknown-fields': [true],
        'x-kubernetes-map-type': ['atomic', 'granular'],
        maxProperties: [1, 2],
      }),
    };
  }

  #some(all: Readonly<Record<string, readonly unknown[]>>): JsonObject {
    const chosen = Object.entries(all).filter(() => this.chance(0.15));
    return Object.fromEntries(chosen.map(([name, values]) => [name, this.pick(values)]));
  }

  /** A value that mostly has the type of the schema. */
  value(schema: unknown): unknown {
    const { type, properties, items, additionalProperties, enum: values } = (schema ?? {}) as JsonObject;
    if (this.chance(0.04)) return this.pick<unknown>([null, 1, 'a', true, [], {}, 1.5, [null], { a: null }]);
    if (Array.isArray(values) && this.chance(0.8)) return this.pick(values);
    switch (type) {
      case 'string':
        return this.pick([
          '',
          'a',
          'b',
          'aa',
          'abc',
          '1',
          '2026-01-01',
          '2026-01-02T03:04:05Z',
          'YQ==',
          '1.2.3.4',
          '::1',
          '1h',
          'http://a/b',
          'a@b.c',
          'é',
          '10.0.0.0/8',
          '123e4567-e89b-12d3-a456-426614174000',
        ]);
      case 'integer':
        return this.pick([0, 1, 2, 3, 4, 6, -1, 100, 2_147_483_648, 1.0]);
      case 'number':
        return this.pick([0, 0.5, 1, 1.5, 3, -1, 1e10]);
      case 'boolean':
        return this.chance(0.5);
      case 'array':
        return Array.from({ length: this.pick([0, 1, 1, 2, 2, 3]) }, () => this.value(items));
      case 'object':
        return typeof additionalProperties === 'object'
          ? Object.fromEntries(
              ['a', 'x', 'y']
                .filter(() => this.chance(0.5))
                .map((key) => [key, this.value(additionalProperties)]),
            )
          : this.#object((properties ?? {}) as JsonObject);
      default:
        return this.pick<unknown>([1, 'a', { a: 1 }, [1], true, '10%', null]);
    }
  }

  #object(properties: JsonObject): JsonObject {
    const given = Object.entries(properties).filter(() => this.chance(0.65));
    const unknown = this.chance(0.12) ? { unknown: this.pick<unknown>([1, null, { a: 1 }]) } : {};
    return { ...Object.fromEntries(given.map(([name, schema]) => [name, this.value(schema)])), ...unknown };
  }
}
