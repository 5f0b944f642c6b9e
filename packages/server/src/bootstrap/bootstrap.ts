import { keepBuiltInApiServices } from '@orch/aggregation';
import { compareReleases, type Release } from '@orch/apis';
import type { ServedGroupsSource } from '@orch/discovery';
import type { ApiObject, Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { type ServedApi, type ServerContext, unlessUnreadable } from '@orch/registry';
import { createDefaultRoles } from '../access/default-roles.ts';
import type { BootstrapObject } from './bootstrap-object.ts';
import { flowSchemas } from './flow-schemas.ts';
import { priorityLevels } from './priority-levels.ts';

/** Bootstrap also needs the served group versions. */
export interface BootstrapContext extends ServerContext {
  readonly served: ServedGroupsSource & Pick<ServedApi, 'includes'>;
}

/** First release that marks the flow control objects that it keeps up to date. */
const AUTOUPDATE_RELEASE: Release = '1.22';

/** The bootstrap objects of the release. */
function bootstrapObjects({ names, release, env }: ServerContext): readonly BootstrapObject[] {
  const has = (since?: Release): boolean => since === undefined || compareReleases(release, since) >= 0;
  const flowControl = [...priorityLevels(names, has), ...flowSchemas(names, env.clock.now(), has)].map(
    (object) => ({ ...object, manager: names.fieldManagers.flowControlSettings }),
  );
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
 * Creates the missing bootstrap objects and corrects the mandatory ones, all at once so that stores can batch the writes.
 * Safe to run on many replicas at once, and before the cache is loaded.
 */
export async function createBootstrapObjects(context: BootstrapContext, signal: AbortSignal): Promise<void> {
  const { log } = context.env;
  await Promise.all([
    ...bootstrapObjects(context).map((object) => unlessUnreadable(log, ensure(context, object, signal))),
    keepBuiltInApiServices(context, signal),
  ]);
  // Some of them are in the system namespaces.
  await createDefaultRoles(context, signal);
}

async function ensure(context: ServerContext, object: BootstrapObject, signal: AbortSignal): Promise<void> {
  const { group, name, content, manager, status, whenPresent } = object;
  const resource = context.objects.resource(group, object.resource);
  if (resource === undefined) return;
  const own = { namespace: '', name };
  const writer = manager === undefined ? undefined : { manager, subresource: '' };
  const stored = await resource.read(own, signal);
  if (stored === undefined) {
    await resource.create(own, content, signal, {
      ...(status === undefined ? {} : { status }),
      ...(writer === undefined ? {} : { writer }),
    });
    return;
  }
  if (whenPresent === 'leave') return;
  if (whenPresent === 'refresh' && !isOurs(stored.object, context)) return;
  const { spec } = resource.defaulted(content, name);
  if (jsonEquals(stored.object['spec'], spec)) return;
  await resource.change(
    own,
    (current) => {
      if (jsonEquals(current['spec'], spec)) return;
      current['spec'] = spec;
      current.metadata.generation = (current.metadata.generation ?? 0) + 1;
    },
    signal,
    writer,
  );
}

/** Reports whether the object is unchanged since its creation, or its annotation enables updates. */
function isOurs({ metadata }: ApiObject, { names }: ServerContext): boolean {
  const autoupdate = metadata.annotations?.[names.annotations.apfAutoupdateSpec];
  return autoupdate === undefined ? metadata.generation === 1 : autoupdate === 'true';
}

/** The system namespaces and the default namespace. */
const bootstrapNamespaces = (names: Names): readonly BootstrapObject[] =>
  Object.values(names.namespaces).map((name) => ({
    group: '',
    resource: 'namespaces',
    name,
    content: { kind: 'Namespace', apiVersion: 'v1', metadata: {} },
    whenPresent: 'leave',
  }));

/** Priority classes of system components. */
function priorityClasses(names: Names): readonly BootstrapObject[] {
  const { clusterCritical, nodeCritical } = names.priorityClasses;
  const classes = [
    [clusterCritical, 2_000_000_000, 'For pods that the cluster needs, on any node.'],
    [nodeCritical, 2_000_001_000, 'For pods that their node needs.'],
  ] as const;
  return classes.map(([name, value, description]) => ({
    group: 'scheduling',
    resource: 'priorityclasses',
    name,
    content: {
      kind: 'PriorityClass',
      apiVersion: names.apiVersion('scheduling', 'v1'),
      metadata: {},
      value,
      description,
      preemptionPolicy: 'PreemptLowerPriority',
    },
    whenPresent: 'leave',
  }));
}
