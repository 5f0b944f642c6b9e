import { compareReleases, type Release } from '@orch/apis';
import { type ApiObject, jsonEquals, parseJson } from '@orch/machinery';
import { createDefaultRoles } from '../access/default-roles.ts';
import type { RegistryContext } from '../registry/resource/registry-context.ts';
import type { StoredResource } from '../registry/resource/served-resource.ts';
import { keepApiServices } from './api-services.ts';
import type { BootstrapObject } from './bootstrap-object.ts';
import { flowSchemas } from './flow-schemas.ts';
import { bootstrapNamespaces } from './namespaces.ts';
import { changeOwn, createOwn, findResource, servedContent } from './own-object.ts';
import { priorityClasses } from './priority-classes.ts';
import { priorityLevels } from './priority-levels.ts';

/** First release that marks the objects of flow control that it keeps up to date. */
const AUTOUPDATE_RELEASE: Release = '1.22';

/** Everything that a new cluster of the release has. */
export function bootstrapObjects({ names, release, env }: RegistryContext): readonly BootstrapObject[] {
  const has = (since?: Release): boolean => since === undefined || compareReleases(release, since) >= 0;
  const flowControl = [...priorityLevels(names, has), ...flowSchemas(names, env.clock.now(), has)];
  const marked = has(AUTOUPDATE_RELEASE)
    ? flowControl.map((object) => withAnnotation(object, names.annotations.apfAutoupdateSpec))
    : flowControl;
  return [...bootstrapNamespaces(names), ...priorityClasses(names), ...marked];
}

const withAnnotation = (object: BootstrapObject, key: string): BootstrapObject => ({
  ...object,
  content: { ...object.content, metadata: { annotations: { [key]: 'true' } } },
});

/**
 * Creates what every cluster has, where it is missing, and puts right what must be as it is: all objects at one time, so
 * that stores write them together. Safe to run on many replicas at once, and before the cache is loaded.
 */
export async function createBootstrapObjects(context: RegistryContext, signal: AbortSignal): Promise<void> {
  await Promise.all([
    ...bootstrapObjects(context).map((object) => ensure(context, object, signal)),
    keepApiServices(context, signal),
  ]);
  // Some of them are in the namespaces of the system.
  await createDefaultRoles(context, signal);
}

async function ensure(context: RegistryContext, object: BootstrapObject, signal: AbortSignal): Promise<void> {
  const { group, name, content, status, whenPresent } = object;
  const resource = findResource(context, group, object.resource);
  if (resource === undefined) return;
  const own = { resource, namespace: '', name };
  const { kv } = await context.store.get(resource.keyPrefix + name, signal);
  if (kv === undefined) {
    await createOwn(context, { ...own, ...(status === undefined ? {} : { status }) }, content, signal);
    return;
  }
  if (whenPresent === 'leave') return;
  const present = parseJson(resource.stored.read(kv.value).json) as ApiObject;
  if (whenPresent === 'refresh' && !isOurs(present, context)) return;
  const { spec } = wantedContent(resource, content, name);
  if (jsonEquals(present['spec'], spec)) return;
  await changeOwn(
    context,
    own,
    (current) => {
      if (jsonEquals(current['spec'], spec)) return;
      current['spec'] = spec;
      current.metadata.generation = (current.metadata.generation ?? 0) + 1;
    },
    signal,
  );
}

/** As it would be stored: with the defaults of the release. */
const wantedContent = (resource: StoredResource, content: ApiObject, name: string): ApiObject =>
  resource.form.lift(servedContent(resource, content, name));

/** Nobody changed it, or said otherwise. */
function isOurs({ metadata }: ApiObject, { names }: RegistryContext): boolean {
  const said = metadata.annotations?.[names.annotations.apfAutoupdateSpec];
  return said === undefined ? metadata.generation === 1 : said === 'true';
}
