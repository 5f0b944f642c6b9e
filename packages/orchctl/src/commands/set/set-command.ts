import type { kinds } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { type JsonObject, objectAt, setField } from '@orch/machinery/json';
import { type FlagTable, switchFlag, UsageError } from '@orch/program/flags';
import type { Invocation } from '../../cli/command.ts';
import { fileFlags, selectorFlags, showManagedFieldsFlag } from '../../cli/flag-sets.ts';
import { type DryRun, writeFlags } from '../../cli/write-flags.ts';
import { CommandError } from '../../command-error.ts';
import { type OutputValues, outputFlags } from '../../print/output-format.ts';
import { fileTargets, readTargets, type Target } from '../../resources/targets.ts';
import { type ChangedObject, changeObject } from '../write/change-object.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { WriteReport } from '../write/report-write.ts';

export const section = 'Flags';

/** The flags of all commands of `set`. */
export const setFlags = {
  ...fileFlags,
  ...writeFlags,
  ...showManagedFieldsFlag,
  selector: selectorFlags.selector,
  ...outputFlags(section),
  all: switchFlag({ name: 'all', help: 'Change all objects of the types in the namespace.', section }),
  local: switchFlag({
    name: 'local',
    help: 'Change and print the objects of files, without writing them.',
    section,
  }),
} as const satisfies FlagTable;

export interface SetValues extends OutputValues {
  readonly filename: readonly string[];
  readonly recursive: boolean;
  readonly selector: string;
  readonly all: boolean;
  readonly local: boolean;
  readonly dryRun: DryRun;
  readonly fieldManager: string;
  readonly showManagedFields: boolean;
}

/** How a command of `set` changes objects. */
export interface Setting {
  /** In reports: `image updated`. */
  readonly done: string;
  /** The words that name objects. */
  readonly words: readonly string[];
  /** Whether an object that has the values already is reported. */
  readonly reportsUnchanged?: boolean;
  /** The object as it should be. Throws a CommandError for one that cannot be changed so. */
  change(object: ApiObject, target: Target): ApiObject | Promise<ApiObject>;
}

/** The targets of a command of `set`. */
export async function setTargets(
  { flags, io, signal, session: open }: Invocation<SetValues>,
  words: readonly string[],
): Promise<readonly Target[]> {
  if (flags.local && flags.filename.length === 0)
    throw new UsageError('you must specify resources by --filename when --local is set');
  const session = await open();
  if (flags.local) return fileTargets({ flags, io, session, signal });
  return readTargets({ flags, words, io, session, signal });
}

/** Changes the objects of a command line and reports them. */
export async function setOnTargets(invocation: Invocation<SetValues>, setting: Setting): Promise<number> {
  const { flags, io } = invocation;
  const report = new WriteReport(io, { ...flags, dryRun: flags.local ? 'none' : flags.dryRun });
  const targets = await setTargets(invocation, setting.words);
  const status = await forEachTarget(targets, io, async (target) => {
    const { object, isChanged } = await changed(target, setting, invocation);
    if (isChanged || flags.local || setting.reportsUnchanged === true || flags.output !== '')
      report.add(target, object, setting.done);
  });
  report.end();
  return status;
}

async function changed(
  target: Target,
  { change }: Setting,
  { flags, io, signal, session }: Invocation<SetValues>,
): Promise<ChangedObject<ApiObject>> {
  const local = target.document?.object as ApiObject | undefined;
  if (flags.local && local !== undefined) return { object: await change(local, target), isChanged: true };
  const client = (await session()).client.resource(target.resource, target.namespace);
  return changeObject({
    ...{ client, name: target.name, flags, io, signal },
    change: (object) => change(object, target),
  });
}

export type PodSpec = kinds.core.PodSpec;
export type Container = kinds.core.Container;

/** The path of the pod spec in objects of a kind. */
function podSpecPath({ kind }: Target['resource']): readonly string[] {
  switch (kind) {
    case 'Pod':
      return ['spec'];
    case 'CronJob':
      return ['spec', 'jobTemplate', 'spec', 'template', 'spec'];
    case 'Deployment':
    case 'DaemonSet':
    case 'Job':
    case 'ReplicaSet':
    case 'ReplicationController':
    case 'StatefulSet':
      return ['spec', 'template', 'spec'];
    default:
      return [];
  }
}

/** The pod spec of an object. Throws a CommandError for an object without one. */
export function podSpecOf(object: ApiObject, { resource, name }: Target): PodSpec {
  const path = podSpecPath(resource);
  if (path.length === 0)
    throw new CommandError(
      `${resource.resource}/${name} the object is not a pod or does not have a pod template: ${resource.kind}`,
    );
  return objectAt(object as unknown as JsonObject, ...path) as unknown as PodSpec;
}

/** The object with another pod spec. */
export function withPodSpec(object: ApiObject, target: Target, spec: PodSpec): ApiObject {
  const at = (value: JsonObject, [key, ...rest]: readonly string[]): JsonObject => {
    if (key === undefined) return spec as unknown as JsonObject;
    const copy = { ...value };
    setField(copy, key, at(objectAt(value, key), rest));
    return copy;
  };
  return at(object as unknown as JsonObject, podSpecPath(target.resource)) as unknown as ApiObject;
}

/** The spec with changed containers, init containers included. */
export const mapContainers = (spec: PodSpec, map: (container: Container) => Container): PodSpec => ({
  ...spec,
  ...(spec.initContainers !== undefined && { initContainers: spec.initContainers.map(map) }),
  containers: spec.containers.map(map),
});

/** Splits `KEY=VALUE` arguments from those before, which name objects. */
export function splitAssignments(words: readonly string[]): {
  readonly objects: readonly string[];
  readonly assignments: readonly string[];
} {
  const isAssignment = (word: string): boolean => word.indexOf('=') > 0;
  return { objects: words.filter((word) => !isAssignment(word)), assignments: words.filter(isAssignment) };
}

/** Reports whether a container has a name of `*`, `web-*` or `web`. */
export const isNamed = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(name);
