import type { Random } from '@orch/machinery';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';

/** Schemas of an OpenAPI v3 document by name. */
export type Schemas = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 7;
/** How often a value has another type than its schema says. */
const WRONG_TYPE = 0.02;
/** How often an optional field of a generated object is set, by the depth of the object. */
const optional = [0.5, 0.35, 0.25, 0.15];

const digits63 = 'a'.repeat(63);
const texts = ['', 'a', 'b', 'x', 'A', 'a.b', 'a-b', 'a_b', 'a/b', '-a', 'example.com/a', 'a b', '1', 'é'];
const longTexts = [digits63, `${digits63}a`, `${`${digits63}.`.repeat(3)}${'a'.repeat(61)}`, 'a'.repeat(254)];
const addresses = [
  '10.0.0.1',
  '192.0.2.7',
  '010.0.0.1',
  'fd00::1',
  '::ffff:1.2.3.4',
  '10.0.0.0/24',
  'fd00::/64',
];
const paths = [
  '/a',
  '/a/../b',
  'a/../b',
  '/',
  'a:b',
  '/dev/x',
  'http://example.com/a?b#c',
  'https://example.com',
];
const quantities = [
  '0',
  '1',
  '-1',
  '1Gi',
  '100m',
  '1.5',
  '1e3',
  '0.5m',
  '1x',
  '',
  '9223372036854775807',
  '5E',
];
const durations = ['1s', '0s', '-1s', '1h30m', '1', 'x'];
const times = ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.123456Z', '2026-01-02', ''];
const wholes = [
  0, 1, 2, 3, -1, 10, 100, 101, 1000, 65_535, 65_536, 2_147_483_647, 2_147_483_648, -2_147_483_648,
];
const words: Readonly<Record<string, readonly string[]>> = {
  operator: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Equal', 'Foo'],
  scope: ['Cluster', 'Namespaced', '*', 'BestEffort', 'Foo'],
  scopeName: ['BestEffort', 'NotTerminating', 'PriorityClass', 'Foo'],
  key: ['a', 'example.com/a', 'a/b/c', '', 'A_'],
  topologyKey: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'a', '', 'a/b/c'],
  schedule: ['* * * * *', '@daily', '@every 1h', 'x', 'TZ=UTC * * * * *', '60 * * * *'],
  timeZone: ['UTC', 'Europe/Berlin', 'Foo/Bar', '', 'Local'],
  apiVersion: ['v1', 'apps/v1', 'a/b/c', ''],
  apiGroup: ['', 'apps', 'rbac.authorization.k8s.io', 'A_'],
  kind: ['Pod', 'Deployment', 'User', 'Group', 'ServiceAccount', 'ClusterRole', 'Role', 'a'],
  expression: ['true', 'object.x', 'self', '1 +', '', 'device.driver == "a"', '"a"'],
};

/** Values that a schema permits, values at the edges of what servers accept, and seldom values of another type. */
export class SchemaValues {
  readonly #schemas: Schemas;
  readonly #ignored: ReadonlySet<string>;
  readonly #random: Random;

  /** Fields in `ignored` are not set in generated objects. */
  constructor(schemas: Schemas, ignored: ReadonlySet<string>, random: Random) {
    this.#schemas = schemas;
    this.#ignored = ignored;
    this.#random = random;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.#random.int(values.length)] as T;
  }

  chance(share: number): boolean {
    return this.#random.int(1_000_000) < share * 1_000_000;
  }

  /** The schema with its reference followed. */
  resolve(schema: unknown): JsonObject {
    if (!isJsonObject(schema)) return {};
    const all = schema['allOf'];
    const reference =
      schema['$ref'] ?? (Array.isArray(all) && isJsonObject(all[0]) ? all[0]['$ref'] : undefined);
    if (typeof reference !== 'string') return schema;
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    const target = this.#schemas[name];
    return isJsonObject(target) ? { ...target, named: name } : {};
  }

  /** A value for a field. */
  value(field: string, given: unknown, depth = 0): unknown {
    const schema = this.resolve(given);
    if (this.chance(WRONG_TYPE)) return this.pick<unknown>([1, 'a', true, [], {}, null, [1], { a: 'b' }]);
    if (Array.isArray(schema['enum']) && this.chance(0.85)) return this.pick(schema['enum']);
    switch (schema['type']) {
      case 'boolean':
        return this.chance(0.5);
      case 'integer':
        return this.pick(/seconds|port/i.test(field) ? [...wholes, 30, 80, 443, 3600] : wholes);
      case 'number':
        return this.pick([0, 1, 0.5, -1]);
      case 'array':
        return this.#items(field, schema['items'], depth);
      case 'object':
        return this.#object(field, schema, depth);
      default:
        return this.#text(field, schema);
    }
  }

  #items(field: string, items: unknown, depth: number): unknown {
    const count = depth > MAX_DEPTH ? 0 : this.pick([0, 1, 1, 1, 2, 2, 3]);
    const values = Array.from({ length: count }, () => this.value(field.replace(/s$/, ''), items, depth + 1));
    return count > 0 && this.chance(0.1) ? [...values, values[0]] : values;
  }

  #object(field: string, schema: JsonObject, depth: number): unknown {
    const inner = schema['additionalProperties'];
    if (isJsonObject(inner)) {
      const keys = Array.from({ length: this.pick([0, 1, 1, 2]) }, () => this.#key(field));
      return Object.fromEntries(keys.map((key) => [key, this.value(field, inner, depth + 1)]));
    }
    const properties = schema['properties'];
    if (!isJsonObject(properties)) return depth > MAX_DEPTH ? {} : { a: this.pick(texts) };
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const share = depth > MAX_DEPTH ? 0 : (optional[depth] ?? 0.12);
    const isUnion = Object.keys(properties).length > 12 && required.length <= 1 && depth > 0;
    const entries = Object.entries(properties).filter(
      ([name]) =>
        !this.#ignored.has(name) &&
        ((required.includes(name) && this.chance(0.95)) || this.chance(isUnion ? share / 2 : share)),
    );
    return Object.fromEntries(
      entries.map(([name, property]) => [name, this.value(name, property, depth + 1)]),
    );
  }

  #key(field: string): string {
    if (/^(limits|requests|capacity|hard|allocatable|overhead|podFixed|allocatedResources)$/.test(field))
      return this.pick([
        'cpu',
        'memory',
        'storage',
        'ephemeral-storage',
        'hugepages-2Mi',
        'example.com/x',
        'pods',
        'a',
        'x/y/z',
      ]);
    return this.pick(['a', 'b', 'example.com/a', 'app', 'A_', '', 'a/b/c', 'x.y', digits63]);
  }

  #text(field: string, schema: JsonObject): unknown {
    const name = typeof schema['named'] === 'string' ? schema['named'] : '';
    if (/Quantity$/.test(name)) return this.pick<unknown>([...quantities, 1, 0]);
    if (/IntOrString$/.test(name))
      return this.pick<unknown>([...wholes.slice(0, 9), '10%', '101%', '-1%', 'http', 'a', '1', '']);
    if (/Duration$/.test(name)) return this.pick(durations);
    if (/Time$/.test(name) || schema['format'] === 'date-time') return this.pick(times);
    if (schema['format'] === 'byte') return this.pick(['', 'YQ==', 'a']);
    if (schema['type'] !== 'string') return this.pick<unknown>(['a', 1, {}, [], true, { a: 1 }]);
    if (Object.hasOwn(words, field) && this.chance(0.8)) return this.pick(words[field] ?? []);
    if (/ip|cidr|address|host/i.test(field) && this.chance(0.6)) return this.pick(addresses);
    if (/path|url|uri|server|endpoint/i.test(field) && this.chance(0.6)) return this.pick(paths);
    return this.chance(0.06) ? this.pick(longTexts) : this.pick(texts);
  }
}
