import type { Client, DiscoverySnapshot, ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { isJsonObject, jsonEquals } from '@orch/machinery/json';
import { ignoreReasons, preconditionsOf } from '../api/writes.ts';
import { type DefinitionState, type Migration, resourceName } from './progress.ts';

/** The definitions of custom resources, in a version that the server serves; undefined when it serves none. */
function definitionsOf(client: Client, snapshot: DiscoverySnapshot): ResourceClient | undefined {
  const group = client.names.group('apiextensions');
  const found = snapshot.preferred.find(
    (one) => one.group === group && one.resource === 'customresourcedefinitions',
  );
  return found === undefined ? undefined : client.resource(found);
}

async function read(
  definitions: ResourceClient | undefined,
  migration: Migration,
  signal: AbortSignal,
): Promise<ApiObject | undefined> {
  if (definitions === undefined || (migration.spec?.resource?.group ?? '') === '') return undefined;
  return await ignoreReasons(['NotFound'], () => definitions.get(resourceName(migration), {}, signal));
}

function stateOf({ metadata, spec }: ApiObject): DefinitionState {
  const versions = isJsonObject(spec) && Array.isArray(spec['versions']) ? spec['versions'] : [];
  const storage = versions.find((version) => isJsonObject(version) && version['storage'] === true);
  const storageVersion = isJsonObject(storage) ? String(storage['name']) : '';
  return { uid: metadata.uid ?? '', generation: metadata.generation ?? 0, storageVersion };
}

/** The definition of the resource at present; undefined for a resource without one. */
export async function readDefinition(
  client: Client,
  { migration, snapshot }: { readonly migration: Migration; readonly snapshot: DiscoverySnapshot },
  signal: AbortSignal,
): Promise<DefinitionState | undefined> {
  const definition = await read(definitionsOf(client, snapshot), migration, signal);
  return definition === undefined ? undefined : stateOf(definition);
}

/**
 * Removes all versions but the storage version from `status.storedVersions` of the definition, provided that its spec is
 * the same as at the beginning of the migration: otherwise objects may have been stored in another version meanwhile.
 * Returns whether `storedVersions` has the storage version only. The write depends on the revision that was read, so
 * that it never removes a version that becomes the storage version at the same time.
 */
export async function reduceStoredVersions(
  client: Client,
  before: DefinitionState,
  { migration, snapshot }: { readonly migration: Migration; readonly snapshot: DiscoverySnapshot },
  signal: AbortSignal,
): Promise<boolean> {
  const definitions = definitionsOf(client, snapshot);
  const definition = await read(definitions, migration, signal);
  if (definitions === undefined || definition === undefined) return false;
  if (!jsonEquals(stateOf(definition), before)) return false;
  const storedVersions = [before.storageVersion];
  const status = isJsonObject(definition['status']) ? definition['status'] : {};
  if (jsonEquals(status['storedVersions'], storedVersions)) return true;
  const patch = { metadata: preconditionsOf(definition.metadata), status: { storedVersions } };
  await definitions.subresource('status').patch.merge(definition.metadata.name ?? '', patch, {}, signal);
  return true;
}
