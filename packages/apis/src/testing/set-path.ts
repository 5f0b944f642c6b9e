/** The steps of `a.b[2].c`: names and indexes. */
const stepsOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, position]) =>
    name === undefined ? Number(position) : name,
  );

/**
 * Sets the value at a path of a JSON value, or removes it when it is undefined. Missing objects and lists are created.
 */
export function setPath(root: Record<string, unknown>, path: string, value: unknown): void {
  const steps = stepsOf(path);
  let at: Record<string | number, unknown> = root;
  steps.forEach((step, i) => {
    const next = steps[i + 1];
    if (next === undefined) {
      if (value === undefined) delete at[step];
      else at[step] = value;
      return;
    }
    at[step] ??= typeof next === 'number' ? [] : {};
    at = at[step] as Record<string | number, unknown>;
  });
}

/** The value at a path; undefined when there is none. */
export const getPath = (root: unknown, path: string): unknown =>
  stepsOf(path).reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[step] : undefined,
    root,
  );

/** A value of a fixture: `<absent>` removes a field; `{"$repeat": [text, count]}` denotes a long text. */
export function expand(value: unknown): unknown {
  if (value === '<absent>') return undefined;
  if (Array.isArray(value)) return value.map(expand);
  if (typeof value !== 'object' || value === null) return value;
  const { $repeat } = value as { $repeat?: readonly [string, number] };
  if ($repeat !== undefined) return $repeat[0].repeat($repeat[1]);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item)]));
}
