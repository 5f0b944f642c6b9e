import { storePages } from '@orch/cache';
import { type ApiObject, isJsonObject, jsonEquals, type Names, parseJson } from '@orch/machinery';
import { type KeyValue, prefixRange } from '@orch/storage';
import { groupPriority } from '../discovery/group-order.ts';
import { servedGroups } from '../discovery/served-groups.ts';
import { versionPriority } from '../discovery/version-priorities.ts';
import type { RegistryContext } from '../registry/resource/registry-context.ts';
import type { StoredResource } from '../registry/resource/served-resource.ts';
import { changeOwn, createOwn, findResource, removeOwn } from './own-object.ts';

/** What the label of an API service says that a server keeps from start to start. */
const ON_START = 'onstart';

/** Bytes that are read from the store at a time. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** The label that marks API services which servers keep. */
const labelOf = (names: Names): string => names.labels.aggregatorAutomanaged;

/** API services of everything that this server serves, in the hub version, by name (facts: bootstrap objects). */
function wantedServices(context: RegistryContext): ReadonlyMap<string, ApiObject> {
  const { names } = context;
  const labels = { [labelOf(names)]: ON_START };
  const type = { kind: 'APIService', apiVersion: names.apiVersion('apiregistration', 'v1') };
  const wanted = new Map<string, ApiObject>();
  for (const { key, name: group, versions } of servedGroups(context)) {
    const groupPriorityMinimum = groupPriority(key);
    for (const { version } of versions) {
      const priority = versionPriority(key, version);
      if (groupPriorityMinimum === undefined || priority === undefined) continue;
      const spec = { ...(group === '' ? {} : { group }), version, groupPriorityMinimum };
      const name = `${version}.${group}`;
      wanted.set(name, { ...type, metadata: { name, labels }, spec: { ...spec, versionPriority: priority } });
    }
  }
  return wanted;
}

interface Present {
  readonly object: ApiObject;
  readonly rev: KeyValue['modRevision'];
}

/**
 * Keeps an API service for every group version that this server serves: at each start missing ones are created, those of
 * servers are put right, and those of servers whose group version is served no longer are removed. What names a service
 * (another server), or does not have the label, belongs to its user and is left alone. Safe to run on many replicas.
 */
export async function keepApiServices(context: RegistryContext, signal: AbortSignal): Promise<void> {
  const resource = findResource(context, 'apiregistration', 'apiservices');
  if (resource === undefined) return;
  const present = await presentServices(context, resource, signal);
  const wanted = wantedServices(context);
  await Promise.all([
    ...[...wanted].map(([name, object]) =>
      keep(context, resource, { name, object, present: present.get(name) }, signal),
    ),
    ...[...present].map(([name, { object, rev }]) =>
      wanted.has(name) || !isKept(object, context.names)
        ? undefined
        : removeOwn(context, { resource, namespace: '', name }, rev, signal),
    ),
  ]);
}

/** What is stored, by name. An object that cannot be read is there, and nothing that servers keep. */
async function presentServices(
  { store }: RegistryContext,
  { keyPrefix, stored }: StoredResource,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Present>> {
  const present = new Map<string, Present>();
  const range = prefixRange(keyPrefix);
  for await (const { items } of storePages(store, range, { byteBudget: PAGE_BYTES }, signal)) {
    for (const { key, value, modRevision } of items)
      present.set(key.slice(keyPrefix.length), { object: readObject(stored, value), rev: modRevision });
  }
  return present;
}

function readObject(stored: StoredResource['stored'], value: Buffer): ApiObject {
  try {
    return parseJson(stored.read(value).json) as ApiObject;
  } catch {
    return { metadata: {} };
  }
}

const specOf = ({ spec }: ApiObject): Readonly<Record<string, unknown>> => (isJsonObject(spec) ? spec : {});

/** Whether servers look after an API service. */
const isKept = (object: ApiObject, names: Names): boolean =>
  object.metadata.labels?.[labelOf(names)] === ON_START && specOf(object)['service'] === undefined;

async function keep(
  context: RegistryContext,
  resource: StoredResource,
  { name, object, present }: { name: string; object: ApiObject; present: Present | undefined },
  signal: AbortSignal,
): Promise<void> {
  const own = { resource, namespace: '', name };
  if (present === undefined) {
    await createOwn(context, own, object, signal);
    return;
  }
  const isRight = (current: ApiObject): boolean =>
    !isKept(current, context.names) || jsonEquals(current['spec'], object['spec']);
  if (isRight(present.object)) return;
  await changeOwn(
    context,
    own,
    (current) => {
      if (!isRight(current)) current['spec'] = object['spec'];
    },
    signal,
  );
}
