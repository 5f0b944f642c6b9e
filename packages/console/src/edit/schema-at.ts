import type { SchemaField } from '../definitions/schema-field.ts';

/** The field of a schema at a path, in which lists have no part and keys of maps have one; undefined where there is none. */
export function fieldAt(root: SchemaField, path: readonly string[]): SchemaField | undefined {
  let found: SchemaField | undefined = root;
  let isMap = false;
  for (const name of path) {
    if (isMap) {
      isMap = false;
      continue;
    }
    found = found.fields().find((field) => field.name === name);
    if (found === undefined) return undefined;
    isMap = found.type.startsWith('map of');
  }
  return found;
}

/** The values that a field may have, where they are few. */
export function valuesOf(field: SchemaField | undefined): readonly string[] {
  if (field?.type === 'boolean') return ['true', 'false'];
  const listed = field?.limits.find((limit) => limit.startsWith('enum: '));
  const values: unknown = listed === undefined ? [] : JSON.parse(listed.slice('enum: '.length));
  return Array.isArray(values) ? values.filter((value) => value !== '' && value !== null).map(String) : [];
}
