import {
  type Change,
  type Client,
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isNotFound,
  periodicSource,
} from '@orch/client';
import {
  type ApiObject,
  asObject,
  asObjects,
  asStrings,
  hasDeletionTimestamp,
  jsonEquals,
  type Names,
} from '@orch/machinery';
import { namespaces } from '../api/resources.ts';
import { conditionsAfter, type NamespaceCondition } from './conditions.ts';
import { deleteContent } from './content.ts';
import { type ContentReport, isEmpty, summary, waitMs } from './content-report.ts';

export interface NamespaceOptions {
  readonly concurrency: number;
  /** How often all namespaces that are being deleted are looked at, whatever was missed. */
  readonly resyncMs: number;
  /**
   * A namespace goes no sooner than this after its deletion was first seen, and is looked through once more then: a
   * server that has not heard of the deletion yet may still put something into it. Five seconds when absent.
   */
  readonly settleMs?: number;
}

const SETTLE_MS = 5_000;
/** A namespace of very many objects. */
const DEADLINE_MS = 900_000;

const specFinalizers = (namespace: ApiObject): readonly string[] =>
  asStrings(asObject(namespace['spec'])['finalizers']);
const isOurs = (namespace: ApiObject, { finalizers }: Names): boolean =>
  hasDeletionTimestamp(namespace.metadata) && specFinalizers(namespace).includes(finalizers.namespace);

/** Deletes the content of namespaces that are being deleted, and lets them go when nothing is left. Keys are names. */
export function namespaceController(
  context: ControllerContext,
  options: NamespaceOptions,
): Controller<string> {
  const { client, env, informers } = context;
  const { settleMs = SETTLE_MS } = options;
  const informer = informers.informer(namespaces);
  const seen = new FirstSeen(env.clock);
  return controller({
    name: 'namespace',
    concurrency: options.concurrency,
    deadlineMs: DEADLINE_MS,
    sources: [
      informerSource(informer, { filter: (change) => seen.note(change) && concerns(change, client.names) }),
      periodicSource(env, options.resyncMs, () => going(informer.store.values(), client.names)),
    ],
    async reconcile(name, signal) {
      const known = informer.store.get(name);
      if (known === undefined || !isOurs(known, client.names)) return;
      const namespace = await current(client, name, signal);
      if (namespace === undefined || !isOurs(namespace, client.names)) return;
      const beganMs = seen.sinceMs(namespace);
      const report = await deleteContent(client, name, signal);
      if (!isEmpty(report)) return await blocked(context, namespace, { report, sinceMs: beganMs }, signal);
      if (beganMs < settleMs) return { requeueAfterMs: settleMs - beganMs };
      await finalize(client, namespace, signal);
      return;
    },
  });
}

const going = (all: Iterable<ApiObject>, names: Names): readonly string[] =>
  [...all].filter((namespace) => isOurs(namespace, names)).map(({ metadata }) => metadata.name ?? '');

/** Changes of a status, which are this controller's own, ask for nothing. */
function concerns(change: Change, names: Names): boolean {
  if (change.type === 'deleted' || !isOurs(change.object, names)) return false;
  if (change.type === 'added') return true;
  return (
    !hasDeletionTimestamp(change.old.metadata) ||
    !jsonEquals(specFinalizers(change.old), specFinalizers(change.object))
  );
}

/** When deletions were first seen, by this process's own clock. */
class FirstSeen {
  readonly #clock: ControllerContext['env']['clock'];
  readonly #at = new Map<string, number>();

  constructor(clock: ControllerContext['env']['clock']) {
    this.#clock = clock;
  }

  note(change: Change): true {
    const { uid = '' } = change.object.metadata;
    if (change.type === 'deleted') this.#at.delete(uid);
    else if (hasDeletionTimestamp(change.object.metadata) && !this.#at.has(uid))
      this.#at.set(uid, this.#clock.monotonic());
    return true;
  }

  sinceMs({ metadata: { uid = '' } }: ApiObject): number {
    const at = this.#at.get(uid);
    return at === undefined ? 0 : this.#clock.monotonic() - at;
  }
}

async function current(client: Client, name: string, signal: AbortSignal): Promise<ApiObject | undefined> {
  try {
    return await client.resource(namespaces).get(name, {}, signal);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

interface Blocked {
  readonly report: ContentReport;
  readonly sinceMs: number;
}

/** Says in the status what the namespace waits for. What failed is tried again with backoff. */
async function blocked(
  { client, env }: ControllerContext,
  namespace: ApiObject,
  { report, sinceMs }: Blocked,
  signal: AbortSignal,
): Promise<{ readonly requeueAfterMs: number }> {
  const status = asObject(namespace['status']);
  const before = asObjects(status['conditions']) as readonly object[] as readonly NamespaceCondition[];
  const conditions = conditionsAfter(report, before, env.clock.now());
  if (conditions !== undefined) {
    const next = { ...namespace, status: { ...status, conditions } };
    await client.resource(namespaces).subresource('status').update(next, {}, signal);
  }
  if (report.undiscovered.size + report.unreadable.length + report.failures.size > 0)
    throw new Error(`the content of namespace ${namespace.metadata.name} is not deleted: ${summary(report)}`);
  return { requeueAfterMs: waitMs(report, sinceMs) };
}

/** Takes the finalizer away that stands for the content. Others in the list are somebody else's. */
async function finalize(client: Client, namespace: ApiObject, signal: AbortSignal): Promise<void> {
  const finalizers = specFinalizers(namespace).filter((name) => name !== client.names.finalizers.namespace);
  const next = { ...namespace, spec: { ...asObject(namespace['spec']), finalizers } };
  try {
    await client.resource(namespaces).subresource('finalize').update(next, {}, signal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
