import {
  type Client,
  createInformer,
  type Informer,
  type Resource,
  type ResourceClient,
  type Stored,
} from '@orch/client';
import { type ApiObject, type CounterSeries, type Env, formatApiVersion, type Logger } from '@orch/machinery';
import { abortable, anySignal, deferred, type ScopedSignal, sleep } from '@orch/machinery/concurrency';
import type { Moment } from '../options.ts';
import { informerHasReached } from '../reached.ts';
import { AdaptiveInterval } from './adaptive-interval.ts';
import { monitored, resourceKey } from './monitored.ts';
import type { OwnerGraph } from './owner-graph.ts';
import { RefusedLists } from './refused-lists.ts';

export interface MonitorsOptions {
  readonly client: Client;
  readonly env: Env;
  readonly graph: OwnerGraph;
  /** Interval of discovery; definitions of resources trigger it earlier. */
  readonly discoveryIntervalMs: number;
}

interface Monitor {
  readonly resource: Resource;
  readonly informer: Informer;
  readonly refused: RefusedLists;
  readonly scope: ScopedSignal;
  readonly unsubscribe: () => void;
  readonly ended: Promise<void>;
}

/** Maximum time for which a resource whose server does not answer delays the start. */
const START_WAIT_MS = 30_000;

/** Kinds that define resources: their changes trigger discovery. */
const definingKinds: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'APIService']);

/** Fills the graph, with one informer of metadata for every served resource. */
export class Monitors {
  readonly #options: MonitorsOptions;
  readonly #log: Logger;
  readonly #failures: CounterSeries;
  readonly #interval: AdaptiveInterval;
  readonly #monitors = new Map<string, Monitor>();
  readonly #started = deferred();
  #isFailing = false;
  /** Group versions whose server does not answer, as `apiVersion`. */
  #unavailable: ReadonlySet<string> = new Set();

  constructor(options: MonitorsOptions) {
    this.#options = options;
    this.#log = options.env.log;
    this.#interval = new AdaptiveInterval(options.env.clock, options.discoveryIntervalMs);
    this.#failures = options.env.metrics
      .counter({
        name: 'garbagecollector_controller_resources_sync_error_total',
        help: 'Number of failed discoveries of the resources of the server.',
        stability: 'ALPHA',
      })
      .series();
  }

  /**
   * Whether the graph has contained the objects of all resources of one point in time. Those of servers that do not
   * answer do not count: one that is down would stop the deletion of everything else.
   */
  get isComplete(): boolean {
    return this.#started.settled && this.#unsynced().length === 0;
  }

  /** Whether the graph has all changes up to a moment. */
  hasReached(moment: Moment): boolean {
    for (const { informer } of this.#monitors.values())
      if (!informerHasReached(informer, moment)) return false;
    return true;
  }

  /** Resolves when the graph has all objects that can be listed, and after `START_WAIT_MS` at the latest. */
  synced(signal: AbortSignal): Promise<void> {
    return abortable(this.#started.promise, signal);
  }

  /** Resolves when the signal has aborted and all informers have ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    while (!signal.aborted) {
      try {
        const snapshot = await client.discovery.read(signal);
        this.#unavailable = new Set(snapshot.failed.keys());
        this.#update(monitored(snapshot, this.#resources(), client.names), signal);
        if (!this.#started.settled) void this.#start(signal);
        this.#isFailing = false;
      } catch (error) {
        if (!signal.aborted) this.#failed(error);
      }
      await this.#interval.wait(signal);
    }
    await Promise.all([...this.#monitors.values()].map(({ ended }) => ended));
  }

  #failed(error: unknown): void {
    this.#failures.inc();
    if (!this.#isFailing || !this.#started.settled) this.#interval.shorten();
    this.#isFailing = true;
    this.#log.warn('discovery failed, trying again', { error });
  }

  *#resources(): Generator<Resource> {
    for (const { resource } of this.#monitors.values()) yield resource;
  }

  #unsynced(): readonly string[] {
    return [...this.#monitors]
      .filter(([, { informer, resource }]) => !informer.hasSynced && this.#isAvailable(resource))
      .map(([key]) => key);
  }

  #isAvailable(resource: Resource): boolean {
    return !this.#unavailable.has(formatApiVersion(resource));
  }

  async #start(signal: AbortSignal): Promise<void> {
    using scope = anySignal([signal]);
    const all = [...this.#monitors.values()]
      .filter(({ resource }) => this.#isAvailable(resource))
      .map(({ informer, refused }) => Promise.race([informer.synced(scope.signal), refused.enough]));
    const inTime = sleep(this.#options.env.clock, START_WAIT_MS, scope.signal);
    await Promise.race([Promise.all(all), inTime]).catch(() => undefined);
    scope.abort(new Error('started'));
    await Promise.allSettled([...all, inTime]);
    if (signal.aborted || this.#started.settled) return;
    const missing = this.#unsynced();
    if (missing.length > 0)
      this.#log.warn('cannot read some resources, no owner is released until then', { missing });
    this.#started.resolve();
    for (const key of missing) void this.#examineWhenSynced(this.#monitors.get(key));
  }

  #update(resources: readonly Resource[], signal: AbortSignal): void {
    const wanted = new Map(resources.map((resource) => [resourceKey(resource), resource]));
    const removed = [...this.#monitors.keys()].filter((key) => !wanted.has(key));
    const added = [...wanted.keys()].filter((key) => !this.#monitors.has(key));
    if (removed.length + added.length > 0) this.#log.info('monitored resources changed', { added, removed });
    for (const key of removed) this.#end(key);
    for (const [key, resource] of wanted)
      if (!this.#monitors.has(key)) this.#monitors.set(key, this.#begin(resource, signal));
  }

  #begin(resource: Resource, signal: AbortSignal): Monitor {
    const { client, env, graph } = this.#options;
    const settings = { client: metadataOnly(client), env };
    const refused = new RefusedLists();
    const onListFailed = (error: unknown): void => refused.add(error);
    const informer = createInformer(settings, resource, { transform: ownershipFields, onListFailed });
    const unsubscribe = informer.subscribe((change) => {
      const { metadata } = change.object;
      if (change.type === 'deleted') graph.forget(metadata.uid, !change.isStale);
      else graph.observe(resource, metadata);
      const isNew = change.type !== 'added' || !change.isInitial;
      if (isNew && definingKinds.has(resource.kind)) this.#interval.shorten();
    });
    const scope = anySignal([signal]);
    const ended = informer.run(scope.signal).finally(() => scope[Symbol.dispose]());
    const monitor = { resource, informer, refused, scope, unsubscribe, ended };
    if (this.#started.settled) void this.#examineWhenSynced(monitor);
    return monitor;
  }

  /** Owners of a resource that is read after the start may be deleted before its informer has delivered them. */
  async #examineWhenSynced(monitor: Monitor | undefined): Promise<void> {
    if (monitor === undefined) return;
    const { resource, informer, scope } = monitor;
    const isSynced = await informer.synced(scope.signal).then(
      () => true,
      () => false,
    );
    if (isSynced) this.#options.graph.examineUnobserved(resource.kind);
  }

  /**
   * Handles a resource that is no longer served. Its objects may still exist, and those that are also served by another
   * resource stay in the graph.
   */
  #end(key: string): void {
    const { graph } = this.#options;
    const monitor = this.#monitors.get(key);
    if (monitor === undefined) return;
    this.#monitors.delete(key);
    monitor.unsubscribe();
    monitor.scope.abort(new Error('the resource is not served any more'));
    for (const { metadata } of monitor.informer.store.values()) graph.forget(metadata.uid, false);
    for (const { resource, informer } of this.#monitors.values()) {
      if (resource.kind !== monitor.resource.kind) continue;
      for (const { metadata } of informer.store.values()) graph.observe(resource, metadata);
    }
  }
}

/** A client whose informers read metadata only. */
const metadataOnly = (client: Client): Client => ({
  ...client,
  resource: <T extends ApiObject>(resource: Resource, namespace?: string) =>
    client.metadata(resource, namespace) as ResourceClient as ResourceClient<T>,
});

/** The fields that ownership depends on. */
function ownershipFields({ kind, apiVersion, metadata }: Stored<ApiObject>): Stored<ApiObject> {
  const { name, namespace, uid, resourceVersion, deletionTimestamp, finalizers, ownerReferences } = metadata;
  const kept = {
    ...{ name, uid, resourceVersion },
    ...(namespace === undefined ? {} : { namespace }),
    ...((deletionTimestamp ?? null) === null ? {} : { deletionTimestamp }),
    ...(finalizers === undefined ? {} : { finalizers }),
    ...(ownerReferences === undefined ? {} : { ownerReferences }),
  };
  return { kind, apiVersion, metadata: kept };
}
