import { groupPriority, ServedGroups, type ServedGroupsSource, versionPriority } from '@orch/discovery';
import { type ApiObject, isJsonObject, jsonEquals, type Names } from '@orch/machinery';
import type { InternalResource, ServerContext, StoredObject } from '@orch/registry';

/** Bootstrap also needs the served group versions. */
export interface BootstrapContext extends ServerContext {
  readonly served: ServedGroupsSource;
}

/** Value of the label for API services that a server reconciles at each start. */
const ON_START = 'onstart';

/** Label of API services that servers reconcile. */
const labelOf = (names: Names): string => names.labels.aggregatorAutomanaged;

/** The API services of all served group versions, in the hub version, by name (facts: bootstrap objects). */
function wantedServices(context: BootstrapContext): ReadonlyMap<string, ApiObject> {
  const { names } = context;
  const labels = { [labelOf(names)]: ON_START };
  const type = { kind: 'APIService', apiVersion: names.apiVersion('apiregistration', 'v1') };
  const wanted = new Map<string, ApiObject>();
  for (const { key, name: group, versions } of new ServedGroups(context.served).all) {
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

/**
 * Reconciles the API services at each start: missing ones are created, those of servers are corrected, and those of
 * servers whose group version is no longer served are deleted. API services that refer to another server, or lack the
 * label, belong to users and are not changed. Safe to run on many replicas.
 */
export async function keepApiServices(context: BootstrapContext, signal: AbortSignal): Promise<void> {
  const resource = context.objects.resource('apiregistration', 'apiservices');
  if (resource === undefined) return;
  const present = await resource.readAll(signal);
  const wanted = wantedServices(context);
  await Promise.all([
    ...[...wanted].map(([name, object]) =>
      keep(resource, context.names, { name, object, present: present.get(name) }, signal),
    ),
    ...[...present].map(([name, { object, revision }]) =>
      wanted.has(name) || !isKept(object, context.names)
        ? undefined
        : resource.removeAt({ namespace: '', name }, revision, signal),
    ),
  ]);
}

const specOf = ({ spec }: ApiObject): Readonly<Record<string, unknown>> => (isJsonObject(spec) ? spec : {});

/** Whether an API service is reconciled by servers. */
const isKept = (object: ApiObject, names: Names): boolean =>
  object.metadata.labels?.[labelOf(names)] === ON_START && specOf(object)['service'] === undefined;

async function keep(
  resource: InternalResource,
  names: Names,
  { name, object, present }: { name: string; object: ApiObject; present: StoredObject | undefined },
  signal: AbortSignal,
): Promise<void> {
  const own = { namespace: '', name };
  if (present === undefined) {
    await resource.create(own, object, signal);
    return;
  }
  const isRight = (current: ApiObject): boolean =>
    !isKept(current, names) || jsonEquals(current['spec'], object['spec']);
  if (isRight(present.object)) return;
  await resource.change(
    own,
    (current) => {
      if (!isRight(current)) current['spec'] = object['spec'];
    },
    signal,
  );
}
