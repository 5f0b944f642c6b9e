import { type DiscoveredResource, isNotFound } from '@orch/client';
import { asObject, asText, type JsonObject, objectAt } from '@orch/machinery/json';
import { CommandError } from '../command-error.ts';
import type { Session } from '../session/session.ts';
import { SchemaReader } from './schema-reader.ts';

/** The OpenAPI document of a server: by default that of version 3, or of version 2 if the server has no other one. */
export type SchemaSource = 'v2' | 'v3';

type GroupVersion = Pick<DiscoveredResource, 'group' | 'version'>;

/** The schemas of a group and version. Rejects with a `CommandError` when the server has none. */
export async function readSchemas(
  session: Pick<Session, 'client'>,
  groupVersion: GroupVersion,
  { source, signal }: { readonly source?: SchemaSource; readonly signal: AbortSignal },
): Promise<SchemaReader> {
  const get = async (target: string): Promise<JsonObject> =>
    asObject(
      await session.client.raw({ method: 'GET', target, headers: { accept: 'application/json' } }, signal),
    );
  if (source === 'v2') return new SchemaReader(await get('/openapi/v2'));
  try {
    return await newestSchemas(groupVersion, get);
  } catch (error) {
    // Servers before release 1.23 have no OpenAPI of version 3.
    if (!isNotFound(error)) throw error;
    return new SchemaReader(await get('/openapi/v2'));
  }
}

async function newestSchemas(
  { group, version }: GroupVersion,
  get: (target: string) => Promise<JsonObject>,
): Promise<SchemaReader> {
  const name = group === '' ? `api/${version}` : `apis/${group}/${version}`;
  const url = asText(objectAt(await get('/openapi/v3'), 'paths', name)['serverRelativeURL']);
  if (url === '') throw new CommandError(`the server has no OpenAPI document of ${name}`);
  return new SchemaReader(await get(url));
}
