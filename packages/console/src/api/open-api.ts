import type { DiscoveredResource } from '@orch/client';
import { asObject, asObjects, asText, type JsonObject } from '@orch/machinery/json';
import { type SchemaField, schemaTree } from '../definitions/schema-field.ts';
import type { Connection } from './connection.ts';

/** The fields of a kind as the server documents them; undefined where it does not. */
export async function readFields(
  connection: Connection,
  resource: DiscoveredResource,
  signal: AbortSignal,
): Promise<SchemaField | undefined> {
  const { group, version, kind } = resource;
  const part = group === '' ? `api/${version}` : `apis/${group}/${version}`;
  const { paths } = asObject(await connection.json({ target: '/openapi/v3' }, signal));
  const target = asText(asObject(asObject(paths)[part])['serverRelativeURL']);
  // A server must not lead the page to another one.
  if (!target.startsWith(`/openapi/v3/${part}`)) return undefined;
  const document = asObject(await connection.json({ target }, signal));
  const schemas = asObject(asObject(document['components'])['schemas']);
  const found = Object.values(schemas)
    .map(asObject)
    .find((schema) => isOf(schema, { group, version, kind }));
  return found && schemaTree(found, (reference) => asObject(schemas[reference.split('/').at(-1) ?? '']));
}

/** Whether a schema is marked as that of a kind, by an extension that has the name of the product. */
const isOf = (
  schema: JsonObject,
  { group, version, kind }: Pick<DiscoveredResource, 'group' | 'version' | 'kind'>,
): boolean =>
  Object.entries(schema).some(
    ([name, value]) =>
      name.endsWith('-group-version-kind') &&
      asObjects(value).some(
        (each) => each['group'] === group && each['version'] === version && each['kind'] === kind,
      ),
  );
