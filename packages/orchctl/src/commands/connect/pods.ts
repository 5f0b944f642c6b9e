import { builtinResources, follow, followObjects, type kinds } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { asObject, asObjects, asStringMap, asStrings, asText, objectAt } from '@orch/machinery/json';
import { durationFlag, UsageError } from '@orch/program/flags';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { followOptions } from '../../session/follow-options.ts';
import type { Session } from '../../session/session.ts';

export type Pod = kinds.core.Pod;

/** The selection of pods that a command connects to. */
export interface PodRequest {
  readonly session: Session;
  readonly signal: AbortSignal;
  /** Time to wait for the first pod that a workload or service selects. */
  readonly wait?: { readonly ms: number; readonly io: Pick<Io, 'env' | 'err'> };
}

/** The flag of commands that wait for the first pod of a workload. */
export const podTimeoutFlag = (initialMs: number) => ({
  podRunningTimeoutMs: durationFlag(
    {
      name: 'pod-running-timeout',
      help: 'How long to wait until a workload or service has a pod; 0 does not wait.',
      section: 'Flags',
    },
    initialMs,
  ),
});

export const podClient = ({ client, names, namespace }: Session) =>
  client.resource<Pod>(builtinResources(names).core.v1.pods, namespace);

/** An object that a word names: a pod by its name alone, or `TYPE/NAME`. */
export interface NamedObject {
  readonly kind: string;
  readonly object: ApiObject;
}

/** The object of `NAME` or `TYPE/NAME`. Rejects with `ApiError` when there is none. */
export async function objectOf(word: string, { session, signal }: PodRequest): Promise<NamedObject> {
  const [first = '', second, ...more] = word.split('/');
  if (more.length > 0 || first === '' || second === '')
    throw new UsageError(
      `arguments in resource/name form must have a single resource and name, not ${JSON.stringify(word)}`,
    );
  if (second === undefined)
    return { kind: 'Pod', object: await podClient(session).get(first, undefined, signal) };
  const resource = await session.resources.named(first);
  const object = await session.client.resource(resource, session.namespace).get(second, undefined, signal);
  return { kind: resource.kind, object };
}

/** The pods of an object: the pod itself, or those that its selector selects. Rejects with a `CommandError` without a selector. */
export async function podsOf({ kind, object }: NamedObject, request: PodRequest): Promise<readonly Pod[]> {
  if (kind === 'Pod') return [object as Pod];
  const selector = selectorOf(kind, object);
  if (selector === '')
    throw new CommandError(`${kind} ${object.metadata.name} has no selector of pods; name a pod`);
  const found = await podsSelected(selector, request);
  return found.length > 0 || request.wait === undefined || request.wait.ms === 0
    ? found
    : firstPod(selector, request, request.wait);
}

/** The first pod that a label selector selects, when it is created. Rejects with a `CommandError` at the timeout. */
async function firstPod(
  labelSelector: string,
  { session, signal }: PodRequest,
  { ms, io }: NonNullable<PodRequest['wait']>,
): Promise<readonly Pod[]> {
  using limit = withDeadline(signal, io.env.clock, ms);
  const pods = followObjects(podClient(session), { labelSelector });
  try {
    for await (const step of follow(pods, followOptions(io), limit.signal)) {
      if (step.type === 'page' && step.page.items.length > 0) return step.page.items;
      if (step.type === 'event' && step.event.type === 'ADDED') return [step.event.object];
    }
    throw signal.reason;
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error;
    throw new CommandError(`timed out waiting for a pod with the labels ${labelSelector}`);
  }
}

/** The pods that a label selector selects: ready ones first, then by age. */
export async function podsSelected(
  labelSelector: string,
  { session, signal }: PodRequest,
): Promise<readonly Pod[]> {
  const { items } = await podClient(session).list({ labelSelector }, signal);
  return items.toSorted((a, b) => rankOf(a) - rankOf(b) || createdAt(a).localeCompare(createdAt(b)));
}

/** The pod of a word that commands connect to. Rejects with a `CommandError` when there is none. */
export async function podOf(word: string, request: PodRequest): Promise<Pod> {
  const named = await objectOf(word, request);
  const [pod] = await podsOf(named, request);
  if (pod === undefined)
    throw new CommandError(`${word} selects no pods in namespace ${request.session.namespace}`);
  return pod;
}

const createdAt = ({ metadata }: ApiObject): string => asText(metadata.creationTimestamp);

/** The order in which pods are preferred. */
function rankOf({ metadata, status }: Pod): number {
  if (metadata.deletionTimestamp !== undefined) return 3;
  if (status?.phase !== 'Running') return 2;
  return status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
    ? 0
    : 1;
}

/** The label selector of a workload or service; empty without one. */
function selectorOf(kind: string, object: ApiObject): string {
  const selector = objectAt(object as unknown as Record<string, unknown>, 'spec', 'selector');
  if (kind === 'Service' || kind === 'ReplicationController') return equalities(selector);
  const expressions = asObjects(selector['matchExpressions']).map(expressionText);
  return [equalities(asObject(selector['matchLabels'])), ...expressions]
    .filter((part) => part !== '')
    .join(',');
}

const equalities = (labels: unknown): string =>
  Object.entries(asStringMap(labels))
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

function expressionText(expression: Record<string, unknown>): string {
  const name = asText(expression['key']);
  const values = asStrings(expression['values']).join(',');
  switch (asText(expression['operator'])) {
    case 'In':
      return `${name} in (${values})`;
    case 'NotIn':
      return `${name} notin (${values})`;
    case 'DoesNotExist':
      return `!${name}`;
    default:
      return name;
  }
}
