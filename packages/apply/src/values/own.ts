/**
 * An own field of a JSON object: names such as `constructor` and `__proto__` come from clients. One lookup, since
 * everything that objects inherit is a function, which JSON values never are, except for `__proto__`.
 */
export function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  if (name === '__proto__') return Object.hasOwn(object, name) ? object[name] : undefined;
  const value = object[name];
  return typeof value === 'function' ? undefined : value;
}

/** True for null, and for objects and lists without content. */
export function isEmptyContainer(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _name in value) return false;
  return true;
}
