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
  /**
   * Reports whether the only API server handles no request. After a deletion was observed and the server was idle, nothing that it
   * began before the deletion can create objects, and the rest of the delay is left out. Absent where there may be other servers.
   */
  readonly isServerIdle?: (() => boolean) | undefined;
}

const FINALIZE_DELAY_MS = 5_000;
/** After a delay up to this one, the content is examined for the first time. */
const SHORT_DELAY_MS = 50;
/** Between two looks at whether the server is idle. */
const IDLE_STEP_MS = 1;
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
  const { finalizeDelayMs = FINALIZE_DELAY_MS, isServerIdle } = options;
  const { namespaces } = typed(client).core.v1;
  const api: NamespaceApi = { namespaces, clock: env.clock, names };
  const informer = informers.informer(namespaces.resource);
  const observed = new ObservedDeletions({ clock: env.clock, delayMs: finalizeDelayMs, isServerIdle });
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
      const earlyMs = observed.remainingMs(cached);
      // An examination is wasted if another one follows at once.
      if (finalizeDelayMs <= SHORT_DELAY_MS && earlyMs > 0) return { requeueAfterMs: earlyMs };
      const namespace = await ignoreReasons(['NotFound'], () => namespaces.get(name, {}, signal));
      if (namespace === undefined || !isPending(namespace, names)) return;
      // Another one may have the name by now.
      const sinceMs = observed.sinceMs(namespace);
      const remainingMs = observed.remainingMs(namespace);
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

interface DeletionOptions extends Pick<NamespaceOptions, 'isServerIdle'> {
  readonly clock: Clock;
  readonly delayMs: number;
}

/** Times at which deletions were first observed, by the monotonic clock of this process. */
class ObservedDeletions {
  readonly #options: DeletionOptions;
  readonly #at = new Map<string, number>();
  /** Those after which the server was idle. */
  readonly #settled = new Set<string>();

  constructor(options: DeletionOptions) {
    this.#options = options;
  }

  note({ type, object }: Change<Namespace>): void {
    const { uid = '' } = object.metadata;
    if (type === 'deleted') {
      this.#at.delete(uid);
      this.#settled.delete(uid);
    } else if (isBeingDeleted(object) && !this.#at.has(uid)) {
      this.#at.set(uid, this.#options.clock.monotonic());
    }
  }

  /** The time until the finalizer may be removed, or until the server may be idle; 0 or less if it has passed. */
  remainingMs(namespace: Namespace): number {
    const { delayMs, isServerIdle } = this.#options;
    const remainingMs = delayMs - this.sinceMs(namespace);
    const { uid = '' } = namespace.metadata;
    if (isServerIdle === undefined || remainingMs <= 0 || !this.#at.has(uid)) return remainingMs;
    if (isServerIdle()) this.#settled.add(uid);
    return this.#settled.has(uid) ? 0 : Math.min(remainingMs, IDLE_STEP_MS);
  }

  sinceMs({ metadata: { uid = '' } }: Namespace): number {
    const at = this.#at.get(uid);
    return at === undefined ? 0 : this.#options.clock.monotonic() - at;
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
