import { type Client, controllerOf, isNotFound, type kinds, typed } from '@orch/client';

export type Pod = kinds.core.Pod;

/** The pods that a drain deletes. */
export interface DrainRules {
  readonly force: boolean;
  readonly ignoreDaemonSets: boolean;
  readonly deleteEmptyDirData: boolean;
  /** Pods that have been in deletion for more seconds are not waited for; 0 waits for all. */
  readonly skipWaitForDeleteTimeout: number;
}

export interface DrainContext {
  readonly rules: DrainRules;
  readonly client: Client;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** The plan of a drain for the pods of a node. */
export interface DrainPlan {
  readonly deleted: readonly Pod[];
  /** Reasons, with the names of the pods: why the node cannot be drained. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

type Verdict =
  | { readonly kind: 'delete' | 'keep'; readonly warning?: string }
  | { readonly kind: 'refuse'; readonly error: string };

/** Decides about every pod of a node without deleting any. */
export async function drainPlan(pods: readonly Pod[], context: DrainContext): Promise<DrainPlan> {
  const deleted: Pod[] = [];
  const [errors, warnings] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const pod of pods) {
    const verdict = await verdictOn(pod, context);
    if (verdict.kind === 'refuse') addName(errors, verdict.error, pod);
    else if (verdict.warning !== undefined) addName(warnings, verdict.warning, pod);
    if (verdict.kind === 'delete') deleted.push(pod);
  }
  return { deleted, errors: linesOf(errors), warnings: linesOf(warnings) };
}

function addName(groups: Map<string, string[]>, reason: string, { metadata }: Pod): void {
  const names = groups.get(reason) ?? [];
  groups.set(reason, [...names, `${metadata.namespace}/${metadata.name}`]);
}

const linesOf = (groups: ReadonlyMap<string, readonly string[]>): readonly string[] =>
  [...groups].map(([reason, names]) => `${reason}: ${names.join(', ')}`);

async function verdictOn(pod: Pod, context: DrainContext): Promise<Verdict> {
  const { rules, client, nowMs } = context;
  if (isSkipped(pod, rules.skipWaitForDeleteTimeout, nowMs)) return { kind: 'keep' };
  const isFinished = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  const owner = controllerOf(pod);
  if (owner?.kind === 'DaemonSet' && !isFinished) {
    const verdict = await daemonVerdict(pod, owner.name, context);
    if (verdict !== undefined) return verdict;
  }
  if (pod.metadata.annotations?.[client.names.annotations.configMirror] !== undefined)
    return { kind: 'keep' };
  if (!isFinished && !rules.deleteEmptyDirData && hasLocalStorage(pod))
    return {
      kind: 'refuse',
      error: 'cannot delete Pods with local storage (use --delete-emptydir-data to override)',
    };
  if (isFinished || owner !== undefined) return { kind: 'delete' };
  return rules.force
    ? { kind: 'delete', warning: 'deleting Pods that declare no controller' }
    : { kind: 'refuse', error: 'cannot delete Pods that declare no controller (use --force to override)' };
}

/**
 * Pods of daemon sets are recreated at once. Undefined for a pod whose daemon set no longer exists, if that is
 * accepted.
 */
async function daemonVerdict(
  { metadata }: Pod,
  name: string,
  { rules, client, signal }: DrainContext,
): Promise<Verdict | undefined> {
  try {
    await typed(client, metadata.namespace).apps.v1.daemonsets.get(name, {}, signal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (rules.force) return undefined;
    return { kind: 'refuse', error: `daemonsets.apps ${JSON.stringify(name)} not found (use --force)` };
  }
  return rules.ignoreDaemonSets
    ? { kind: 'keep', warning: 'ignoring DaemonSet-managed Pods' }
    : {
        kind: 'refuse',
        error: 'cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)',
      };
}

const hasLocalStorage = ({ spec }: Pod): boolean =>
  spec?.volumes?.some(({ emptyDir }) => emptyDir !== undefined && emptyDir !== null) ?? false;

function isSkipped({ metadata }: Pod, seconds: number, nowMs: number): boolean {
  const { deletionTimestamp } = metadata;
  return (
    seconds > 0 &&
    typeof deletionTimestamp === 'string' &&
    nowMs - Date.parse(deletionTimestamp) > seconds * 1000
  );
}
