import { apiServicePriority, ServedGroups, type ServedGroupsSource } from '@orch/discovery';
import type { APIService } from '@orch/kinds/apiregistration';
import type { Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { InternalResource, ServerContext, StoredObject } from '@orch/registry';
import { managementOf, namesService, ON_START } from '../api-services/api-service.ts';
import { apiServiceName, correctSpec, localApiService } from './local-api-service.ts';

/** The context for the reconciliation of built-in API services. */
export interface BuiltInContext extends Pick<ServerContext, 'names' | 'objects' | 'release'> {
  readonly served: ServedGroupsSource;
}

/** The API services of all built-in group versions, by name (facts: bootstrap objects). */
function wantedServices(context: BuiltInContext): ReadonlyMap<string, APIService> {
  const wanted = new Map<string, APIService>();
  for (const served of new ServedGroups(context.served).all) {
    const { name: group, versions, declared } = served;
    for (const { version } of versions) {
      const versionPriority = apiServicePriority(served, version, context.release);
      if (declared === undefined || versionPriority === undefined) continue;
      const own = { group, version, groupPriorityMinimum: declared.priority, versionPriority };
      wanted.set(apiServiceName(own), localApiService(own, ON_START, context.names));
    }
  }
  return wanted;
}

/**
 * Reconciles the API services of built-in group versions at each start: missing ones are created, those of servers are
 * corrected, and those of servers whose group version is no longer served are deleted. API services that name a service, or
 * lack the label, belong to users and are not changed. Safe to run on many replicas.
 */
export async function keepBuiltInApiServices(context: BuiltInContext, signal: AbortSignal): Promise<void> {
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

/** Reports whether an API service is reconciled by servers. */
const isKept = (object: APIService, names: Names): boolean =>
  managementOf(object, names) === ON_START && !namesService(object);

interface Kept {
  readonly name: string;
  readonly object: APIService;
  readonly present: StoredObject<APIService> | undefined;
}

async function keep(
  resource: InternalResource<APIService>,
  names: Names,
  { name, object, present }: Kept,
  signal: AbortSignal,
): Promise<void> {
  const isOwn = (current: APIService): boolean => isKept(current, names);
  if (present === undefined) await resource.create({ namespace: '', name }, object, signal);
  else if (isOwn(present.object) && !jsonEquals(present.object.spec, object.spec))
    await correctSpec(resource, { wanted: object, isOwn }, signal);
}
