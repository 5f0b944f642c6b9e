import { isJsonObject } from '@orch/machinery/json';

/** One value of an answer that the two servers give differently; `undefined` is absent. */
export interface Difference {
  readonly section: string;
  /** Method and path, with the step of a scenario. */
  readonly request: string;
  /** The place in the answer: `status`, `body.metadata.labels`. */
  readonly path: string;
  readonly reference: unknown;
  readonly server: unknown;
}

type Values = readonly [reference: unknown, server: unknown];
type Found = readonly [path: string, ...values: Values];

/** The leaves in which two JSON values differ. Items of lists are compared by their names where each item has another. */
export function differingLeaves(path: string, [reference, server]: Values): readonly Found[] {
  if (isJsonObject(reference) && isJsonObject(server)) {
    const keys = [...new Set([...Object.keys(reference), ...Object.keys(server)])].sort();
    return keys.flatMap((key) => differingLeaves(`${path}.${key}`, [reference[key], server[key]]));
  }
  if (Array.isArray(reference) && Array.isArray(server)) return differingItems(path, reference, server);
  return Object.is(reference, server) ? [] : [[path, reference, server]];
}

function differingItems(
  path: string,
  reference: readonly unknown[],
  server: readonly unknown[],
): readonly Found[] {
  const [expected, found] = [byName(reference), byName(server)];
  if (expected === undefined || found === undefined) {
    const indexes = Array.from({ length: Math.max(reference.length, server.length) }, (_, index) => index);
    return indexes.flatMap((i) => differingLeaves(`${path}[${i}]`, [reference[i], server[i]]));
  }
  const names = [...new Set([...expected.keys(), ...found.keys()])];
  const inner = names.flatMap((name) =>
    differingLeaves(`${path}[${name}]`, [expected.get(name), found.get(name)]),
  );
  const common = (one: typeof found, other: typeof found): string =>
    [...one.keys()].filter((name) => other.has(name)).join(' ');
  const orders: Values = [common(expected, found), common(found, expected)];
  return orders[0] === orders[1] ? inner : [...inner, [`${path}(order)`, ...orders]];
}

/** Items by their names; undefined where an item has none or two share one. */
function byName(items: readonly unknown[]): ReadonlyMap<string, unknown> | undefined {
  const named = new Map(items.map((item) => [nameOf(item), item]));
  named.delete(undefined);
  return named.size === items.length ? (named as ReadonlyMap<string, unknown>) : undefined;
}

const nameFields = ['name', 'groupVersion', 'resource', 'subresource', 'version', 'url'];

function nameOf(item: unknown): string | undefined {
  if (typeof item === 'string') return item;
  if (!isJsonObject(item)) return undefined;
  const metadata = isJsonObject(item['object']) ? item['object']['metadata'] : item['metadata'];
  if (isJsonObject(metadata) && typeof metadata['name'] === 'string')
    return [metadata['namespace'], metadata['name']].filter((part) => part !== undefined).join('/');
  const field = nameFields.find((name) => typeof item[name] === 'string');
  return field === undefined ? undefined : String(item[field]);
}
