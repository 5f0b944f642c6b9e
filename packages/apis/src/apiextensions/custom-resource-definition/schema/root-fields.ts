import { fieldError } from '@orch/machinery';
import { asObject, type JsonObject } from '@orch/machinery/json';
import type { SchemaContext } from './schema-context.ts';

/** Reports whether a schema of metadata constrains only names, which is all that is allowed. */
function isPlainMetadata(metadata: JsonObject): boolean {
  const { type: _type, properties, default: _default, ...rest } = metadata;
  if (Object.values(rest).some((value) => value !== undefined && value !== false)) return false;
  return Object.keys(asObject(properties)).every((name) => name === 'name' || name === 'generateName');
}

/** Checks the fields that every object of the API has: their types are fixed, and metadata is specified implicitly. */
export function checkRootFields(
  schema: JsonObject,
  path: string,
  { isRoot }: { readonly isRoot: boolean },
  context: SchemaContext,
): void {
  const properties = asObject(schema['properties']);
  const types = { apiVersion: 'string', kind: 'string', metadata: 'object' };
  for (const [name, type] of Object.entries(types)) {
    if (!Object.hasOwn(properties, name)) continue;
    const found = asObject(properties[name])['type'];
    if (found !== type)
      context.report(fieldError.invalid(`${path}.properties[${name}].type`, found ?? '', `must be ${type}`));
  }
  if (!isRoot || !Object.hasOwn(properties, 'metadata')) return;
  if (!isPlainMetadata(asObject(properties['metadata']))) {
    const why =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    context.report(fieldError.forbidden(`${path}.properties[metadata]`, why));
  }
}
