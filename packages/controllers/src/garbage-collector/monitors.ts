import { type Client, createInformer, type Informer, type Resource, type ResourceClient } from '@orch/client';
import {
  type ApiObject,
  abortable,
  anySignal,
  type CounterSeries,
  deferred,
  type Env,
  type Logger,
  type ObjectMeta,
  type ScopedSignal,
  sleep,
} from '@orch/machinery';
import { monitored, resourceKey } from './monitored.ts';
import type { OwnerGraph } from './owner-graph.ts';
import { Pace } from './pace.ts';

export interface MonitorsOptions {
  readonly client: Client;
  readonly env: Env;
  readonly graph: OwnerGraph;
  /** How often discovery is read for resources that are new or gone, beyond what definitions of resources tell. */
  readonly discoveryIntervalMs: number;
}

interface Monitor {
  readonly resource: Resource;
  readonly informer: Informer;
  readonly scope: ScopedSignal;
  readonly unsubscribe: () => void;
  readonly ended: Promise<void>;
}

/** A resource that cannot be read holds up the start no longer than this. */
const START_WAIT_MS = 30_000;

/** Objects that make resources: with each that comes, changes or goes, discovery is about to say something else. */
const makers: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'APIService']);

/** Fills the graph: one informer of nothing but metadata for every resource that there is at the time. */
export class Monitors {
  readonly #options: MonitorsOptions;
  readonly #log: Logger;
  readonly #failures: CounterSeries;
  readonly #pace: Pace;
  readonly #monitors = new Map<string, Monitor>();
  readonly #started = deferred();
  #isFailing = false;

  constructor(options: MonitorsOptions) {
    this.#options = options;
    this.#log = options.env.log;
    this.#pace = new Pace(options.env.clock, options.discoveryIntervalMs);
    this.#failures = options.env.metrics
      .counter({
        name: 'garbagecollector_controller_resources_sync_error_total',
        help: 'Number of times that the resources of the server could not be found out.',
        stability: 'ALPHA',
      })
      .series();
  }

  /** Whether the graph has all objects of all resources, as of some time. */
  get isComplete(): boolean {
    return this.#started.settled && this.#unsynced().length === 0;
  }

  /** Resolves when the graph has what there is, or some resources could not be read in time. */
  synced(signal: AbortSignal): Promise<void> {
    return abortable(this.#started.promise, signal);
  }

  /** Resolves when the signal has aborted and all informers have ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    while (!signal.aborted) {
      try {
        const snapshot = await client.discovery.read(signal);
        this.#follow(monitored(snapshot, this.#resources(), client.names), signal);
        if (!this.#started.settled) void this.#start(signal);
        this.#isFailing = false;
      } catch (error) {
        if (!signal.aborted) this.#failed(error);
      }
      await this.#pace.pause(signal);
    }
    await Promise.all([...this.#monitors.values()].map(({ ended }) => ended));
  }

  #failed(error: unknown): void {
    this.#failures.inc();
    if (!this.#isFailing || !this.#started.settled) this.#pace.quicken();
    this.#isFailing = true;
    this.#log.warn('discovery failed, trying again', { error });
  }

  *#resources(): Generator<Resource> {
    for (const { resource } of this.#monitors.values()) yield resource;
  }

  #unsynced(): readonly string[] {
    return [...this.#monitors].filter(([, { informer }]) => !informer.hasSynced).map(([key]) => key);
  }

  async #start(signal: AbortSignal): Promise<void> {
    using scope = anySignal([signal]);
    const all = [...this.#monitors.values()].map(({ informer }) => informer.synced(scope.signal));
    const inTime = sleep(this.#options.env.clock, START_WAIT_MS, scope.signal);
    await Promise.race([Promise.all(all), inTime]).catch(() => undefined);
    scope.abort(new Error('started'));
    await Promise.allSettled([...all, inTime]);
    if (signal.aborted || this.#started.settled) return;
    const missing = this.#unsynced();
    if (missing.length > 0)
      this.#log.warn('some resources cannot be read: owners are not let go before', { missing });
    this.#started.resolve();
  }

  #follow(resources: readonly Resource[], signal: AbortSignal): void {
    const wanted = new Map(resources.map((resource) => [resourceKey(resource), resource]));
    const gone = [...this.#monitors.keys()].filter((key) => !wanted.has(key));
    const added = [...wanted.keys()].filter((key) => !this.#monitors.has(key));
    if (gone.length + added.length > 0) this.#log.info('resources are monitored', { added, gone });
    for (const key of gone) this.#end(key);
    for (const [key, resource] of wanted)
      if (!this.#monitors.has(key)) this.#monitors.set(key, this.#begin(resource, signal));
  }

  #begin(resource: Resource, signal: AbortSignal): Monitor {
    const { client, env, graph } = this.#options;
    const settings = { client: metadataOnly(client), env };
    const informer = createInformer(settings, resource, { transform: asOwned });
    const unsubscribe = informer.subscribe((change) => {
      const { metadata } = change.object;
      if (change.type === 'deleted') graph.forget(metadata.uid ?? '', !change.isStale);
      else graph.observe(resource, metadata);
      const isNew = change.type !== 'added' || !change.isInitial;
      if (isNew && makers.has(resource.kind)) this.#pace.quicken();
    });
    const scope = anySignal([signal]);
    const ended = informer.run(scope.signal).finally(() => scope[Symbol.dispose]());
    return { resource, informer, scope, unsubscribe, ended };
  }

  /**
   * The resource is not served any more, which does not say that its objects are gone. Those that are served by another
   * name too are still there.
   */
  #end(key: string): void {
    const { graph } = this.#options;
    const monitor = this.#monitors.get(key);
    if (monitor === undefined) return;
    this.#monitors.delete(key);
    monitor.unsubscribe();
    monitor.scope.abort(new Error('the resource is not served any more'));
    for (const { metadata } of monitor.informer.store.values()) graph.forget(metadata.uid ?? '', false);
    for (const { resource, informer } of this.#monitors.values()) {
      if (resource.kind !== monitor.resource.kind) continue;
      for (const { metadata } of informer.store.values()) graph.observe(resource, metadata);
    }
  }
}

/** The same client, with which informers read nothing but metadata. */
const metadataOnly = (client: Client): Client => ({
  names: client.names,
  transport: client.transport,
  discovery: client.discovery,
  resource: <T extends ApiObject>(resource: Resource, namespace?: string) =>
    client.metadata(resource, namespace) as ResourceClient as ResourceClient<T>,
  metadata: (resource, namespace) => client.metadata(resource, namespace),
  raw: (request, signal) => client.raw(request, signal),
});

/** What ownership is about, and nothing else. */
function asOwned({ kind, apiVersion, metadata }: ApiObject): ApiObject {
  const { name, namespace, uid, resourceVersion, deletionTimestamp, finalizers, ownerReferences } = metadata;
  const kept: ObjectMeta = {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...((deletionTimestamp ?? null) === null ? {} : { deletionTimestamp }),
    ...(finalizers === undefined ? {} : { finalizers }),
    ...(ownerReferences === undefined ? {} : { ownerReferences }),
  };
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    metadata: kept,
  };
}
