import {
  type Change,
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
  type kinds,
  periodicSource,
  type ResourceClient,
  typed,
} from '@orch/client';
import type { Clock, Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { ignoreReasons } from '../api/writes.ts';
import { conditionsAfter } from './conditions.ts';
import { deleteContent } from './content.ts';
import { type ContentReport, isEmpty, summary, waitMs } from './content-report.ts';

type Namespace = kinds.core.Namespace;

export interface NamespaceOptions {
  readonly concurrency: number;
  /** Interval at which all namespaces that are being deleted are examined. */
  readonly resyncMs: number;
  /**
   * Minimum time between the first observation of a deletion and the removal of the finalizer. The content is examined
   * once more after that time: an API server that has not received the deletion yet may still create objects. Five
   * seconds when absent.
   */
  readonly finalizeDelayMs?: number;
}

const FINALIZE_DELAY_MS = 5_000;
/** After a delay up to this one, the content is examined for the first time. */
const SHORT_DELAY_MS = 50;
/** For a namespace with very many objects. */
const DEADLINE_MS = 900_000;

const specFinalizers = ({ spec }: Namespace): readonly string[] => spec?.finalizers ?? [];

/** Reports whether a namespace is being deleted and still has the finalizer of this controller. */
const isPending = (namespace: Namespace, { finalizers }: Names): boolean =>
  isBeingDeleted(namespace) && specFinalizers(namespace).includes(finalizers.namespace);

/** Deletes the content of namespaces that are being deleted, then removes the finalizer. Keys are names. */
export function namespaceController(
  context: ControllerContext,
  options: NamespaceOptions,
): Controller<string> {
  const { client, env, informers } = context;
  const { names } = client;
  const { finalizeDelayMs = FINALIZE_DELAY_MS } = options;
  const { namespaces } = typed(client).core.v1;
  const api: NamespaceApi = { namespaces, clock: env.clock, names };
  const informer = informers.informer(namespaces.resource);
  const observed = new ObservedDeletions(env.clock);
  const pendingNames = (): readonly string[] =>
    [...informer.store.values()]
      .filter((namespace) => isPending(namespace, names))
      .map(({ metadata }) => metadata.name ?? '');
  return controller({
    name: 'namespace',
    concurrency: options.concurrency,
    deadlineMs: DEADLINE_MS,
    sources: [
      informerSource(informer, {
        filter: (change) => {
          observed.note(change);
          return mustReconcile(change, names);
        },
      }),
      periodicSource(env, options.resyncMs, pendingNames),
    ],
    async reconcile(name, signal) {
      const cached = informer.store.get(name);
      if (cached === undefined || !isPending(cached, names)) return;
      const earlyMs = finalizeDelayMs - observed.sinceMs(cached);
      // An examination is wasted if another one follows at once.
      if (finalizeDelayMs <= SHORT_DELAY_MS && earlyMs > 0) return { requeueAfterMs: earlyMs };
      const namespace = await ignoreReasons(['NotFound'], () => namespaces.get(name, {}, signal));
      if (namespace === undefined || !isPending(namespace, names)) return;
      // Another one may have the name by now.
      const sinceMs = observed.sinceMs(namespace);
      const remainingMs = finalizeDelayMs - sinceMs;
      const report = await deleteContent(client, name, signal);
      if (!isEmpty(report)) return await reportRemaining(api, { namespace, report, sinceMs }, signal);
      if (remainingMs > 0) return { requeueAfterMs: remainingMs };
      await finalize(api, namespace, signal);
      return;
    },
  });
}

/** Status changes, which this controller makes itself, require no reconciliation. */
function mustReconcile(change: Change<Namespace>, names: Names): boolean {
  if (change.type === 'deleted' || !isPending(change.object, names)) return false;
  if (change.type === 'added') return true;
  return (
    !isBeingDeleted(change.old) || !jsonEquals(specFinalizers(change.old), specFinalizers(change.object))
  );
}

/** Times at which deletions were first observed, by the monotonic clock of this process. */
class ObservedDeletions {
  readonly #clock: Clock;
  readonly #at = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note({ type, object }: Change<Namespace>): void {
    const { uid = '' } = object.metadata;
    if (type === 'deleted') this.#at.delete(uid);
    else if (isBeingDeleted(object) && !this.#at.has(uid)) this.#at.set(uid, this.#clock.monotonic());
  }

  sinceMs({ metadata: { uid = '' } }: Namespace): number {
    const at = this.#at.get(uid);
    return at === undefined ? 0 : this.#clock.monotonic() - at;
  }
}

interface NamespaceApi {
  readonly namespaces: ResourceClient<Namespace>;
  readonly clock: Clock;
  readonly names: Names;
}

interface RemainingContent {
  readonly namespace: Namespace;
  readonly report: ContentReport;
  readonly sinceMs: number;
}

/** Writes the remaining content to the conditions. Rejects after failures, so that they are retried with backoff. */
async function reportRemaining(
  { namespaces, clock }: NamespaceApi,
  { namespace, report, sinceMs }: RemainingContent,
  signal: AbortSignal,
): Promise<{ readonly requeueAfterMs: number }> {
  const conditions = conditionsAfter(report, namespace.status?.conditions ?? [], clock.now());
  if (conditions !== undefined) {
    const next = { ...namespace, status: { ...namespace.status, conditions } };
    await namespaces.subresource('status').update(next, {}, signal);
  }
  if (report.undiscovered.size + report.unreadable.length + report.failures.size > 0)
    throw new Error(`the content of namespace ${namespace.metadata.name} is not deleted: ${summary(report)}`);
  return { requeueAfterMs: waitMs(report, sinceMs) };
}

/** Removes the finalizer of this controller and keeps those of others. */
async function finalize(
  { namespaces, names }: NamespaceApi,
  namespace: Namespace,
  signal: AbortSignal,
): Promise<void> {
  const finalizers = specFinalizers(namespace).filter((name) => name !== names.finalizers.namespace);
  const next = { ...namespace, spec: { ...namespace.spec, finalizers } };
  await ignoreReasons(['NotFound'], () => namespaces.subresource('finalize').update(next, {}, signal));
}
