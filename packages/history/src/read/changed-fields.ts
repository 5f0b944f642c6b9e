import { isJsonObject, jsonEquals } from '@orch/machinery';

/** The fields that differ between two objects. */
export interface ChangedFields {
  /** Paths such as `spec.template.spec.containers[web].image`. */
  readonly fields: readonly string[];
  /** Number of further ones. */
  readonly more: number;
}

const MAX_FIELDS = 32;

/** Set by every write, or by the server as its consequence. */
const ignored: ReadonlySet<string> = new Set([
  'metadata.resourceVersion',
  'metadata.managedFields',
  'metadata.generation',
]);

/** Fields by which elements of lists are identified, if all have it and differ in it. */
const elementKeys = ['name', 'type', 'uid', 'key', 'ip'] as const;

export function changedFields(before: unknown, after: unknown): ChangedFields {
  const found: string[] = [];
  compare(before, after, '', found);
  return { fields: found.slice(0, MAX_FIELDS), more: Math.max(0, found.length - MAX_FIELDS) };
}

function compare(a: unknown, b: unknown, path: string, found: string[]): void {
  if (a === b || ignored.has(path)) return;
  if (isJsonObject(a) && isJsonObject(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [x, y] = [own(a, name), own(b, name)];
      if (x !== y) compare(x, y, pathTo(path, name), found);
    }
  } else if (Array.isArray(a) && Array.isArray(b)) compareLists(a, b, path, found);
  else if (!jsonEquals(a, b)) found.push(path);
}

function compareLists(a: readonly unknown[], b: readonly unknown[], path: string, found: string[]): void {
  const key = elementKeys.find((name) => isKey(a, name) && isKey(b, name));
  if (key !== undefined && a.length > 0 && b.length > 0) {
    compare(byKey(a, key), byKey(b, key), path, found);
    return;
  }
  if (a.length === b.length && a.every(isJsonObject) && b.every(isJsonObject))
    for (const [i, element] of a.entries()) compare(element, b[i], `${path}[${i}]`, found);
  else if (!jsonEquals(a, b)) found.push(path);
}

const own = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const isKey = (list: readonly unknown[], name: string): boolean => {
  const values = list.map((element) => (isJsonObject(element) ? element[name] : undefined));
  return values.every((value) => typeof value === 'string') && new Set(values).size === values.length;
};

const byKey = (list: readonly unknown[], key: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(list.map((element) => [`[${(element as Record<string, string>)[key]}]`, element]));

function pathTo(path: string, name: string): string {
  if (name.startsWith('[')) return path + name;
  if (path === '') return name;
  return /^[\w-]+$/.test(name) ? `${path}.${name}` : `${path}[${name}]`;
}
