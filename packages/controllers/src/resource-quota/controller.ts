import {
  type Change,
  type Controller,
  type ControllerContext,
  controller,
  type Informer,
  informerSource,
  objectKey,
  periodicSource,
  type Reconciled,
  type Resource,
  type ResourceClient,
} from '@orch/client';
import { ApiError, type ApiObject, type Env, withDeadline } from '@orch/machinery';
import { usageOf } from '@orch/quota';
import { unless } from '../api/failures.ts';
import type { Monitor } from './monitor.ts';
import { Monitors } from './monitors.ts';
import { OwnWrites } from './own-writes.ts';
import { nextStatus, quotaSpec, sameSpec } from './status.ts';

const quotas: Resource = {
  group: '',
  version: 'v1',
  resource: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
};

const BY_NAMESPACE = 'resourcequota-namespace';
const namespaceOf = ({ metadata }: ApiObject): readonly string[] => [metadata.namespace ?? ''];

/** Changes that come together are counted together, and counting never takes more than a tenth of the time. */
const DELAY_MS = 100;
const LONGEST_DELAY_MS = 5000;
/** How long a resource that is followed for the first time is waited for, and when what is missing is looked for again. */
const SYNC_MS = 5000;

export interface ResourceQuotaOptions {
  readonly concurrency: number;
  /** How often everything is counted, whether something changed or not. */
  readonly resyncMs: number;
}

/** Keeps `status.used` of quotas by counting what there is. */
export function resourceQuotaController(
  context: ControllerContext,
  options: ResourceQuotaOptions,
): Controller {
  const counter = new QuotaCounter(context);
  return controller({
    name: 'resourcequota',
    concurrency: options.concurrency,
    sources: [
      { run: (add, signal) => counter.follow(add, signal), synced: () => Promise.resolve() },
      informerSource(counter.informer, { filter: (change) => counter.isConcerned(change) }),
      periodicSource(context.env, options.resyncMs, () => counter.all()),
    ],
    reconcile: (key, signal) => counter.reconcile(key, signal),
  });
}

class QuotaCounter {
  readonly informer: Informer;
  readonly #env: Env;
  readonly #api: ResourceClient;
  readonly #monitors: Monitors;
  readonly #writes = new OwnWrites();
  /** Quotas of which less may be said next time than is said now. */
  readonly #lowering = new Set<string>();
  /** Quotas whose own write must be seen before they are counted again. */
  readonly #waiting = new Set<string>();
  #add: (key: string, delayMs?: number) => void = () => {};
  #delayMs = DELAY_MS;

  constructor(context: ControllerContext) {
    const { client, informers, env } = context;
    this.informer = informers.informer(quotas, { indexes: { [BY_NAMESPACE]: namespaceOf } });
    this.#env = env;
    this.#api = client.resource(quotas);
    this.#monitors = new Monitors(context, (monitor, change) => this.#onUse(monitor, change));
  }

  async follow(add: (key: string, delayMs?: number) => void, signal: AbortSignal): Promise<void> {
    this.#add = add;
    await this.#monitors.run(signal);
  }

  /**
   * Whether a change of a quota is a reason to count. What others say in its status is none: they may be ahead. That
   * one's own write is seen is one, since what happened meanwhile had to wait for it.
   */
  isConcerned(change: Change): boolean {
    const key = objectKey(change.object);
    if (change.type === 'deleted') {
      this.#lowering.delete(key);
      this.#waiting.delete(key);
      this.#writes.forget(key);
      return false;
    }
    const wasWaiting = this.#waiting.delete(key);
    if (change.type === 'updated' && sameSpec(change.old, change.object)) return wasWaiting;
    this.#lowering.add(key);
    return true;
  }

  all(): readonly string[] {
    const keys = [...this.informer.store.values()].map(objectKey);
    for (const key of keys) this.#lowering.add(key);
    return keys;
  }

  #onUse(monitor: Monitor, change: Change): void {
    const { namespace = '' } = change.object.metadata;
    const concerned = this.informer.store
      .byIndex(BY_NAMESPACE, namespace)
      .filter((quota) => quotaSpec(quota).bounds.some((bound) => monitor.counted.evaluator.counts(bound)));
    // Measuring what no quota bounds would cost time and memory for nothing.
    const use = concerned.length === 0 ? undefined : monitor.useChange(change);
    if (use === undefined) return;
    for (const key of concerned.map(objectKey)) {
      if (use === 'less') this.#lowering.add(key);
      this.#add(key, this.#delayMs);
    }
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Reconciled> {
    const quota = this.informer.store.get(key);
    if (quota === undefined) return {};
    if (this.#writes.standing(key, quota) === 'behind') {
      this.#waiting.add(key);
      return {};
    }
    const mayLower = this.#lowering.delete(key);
    try {
      return await this.#count(key, mayLower, signal);
    } catch (error) {
      if (mayLower) this.#lowering.add(key);
      throw error;
    }
  }

  async #count(key: string, mayLower: boolean, signal: AbortSignal): Promise<Reconciled> {
    const { bounds } = quotaSpec(this.informer.store.get(key) ?? { metadata: {} });
    const { monitors, uncertain } = await this.#monitors.follow(bounds, signal);
    const late = await unsynced(monitors, this.#env, signal);
    const lateBounds = bounds.filter((bound) => countsAny(late, bound));
    const quota = this.informer.store.get(key);
    if (quota === undefined) return {};
    const { used, validUntilMs } = this.#usage(quota, monitors, new Set(lateBounds));
    const status = nextStatus(quota, {
      used,
      uncertain: new Set([...uncertain, ...lateBounds]),
      mayLower,
      isDoubtful: this.#writes.standing(key, quota) === 'doubtful',
    });
    if (status !== undefined) await this.#write(key, quota, status, signal);
    if (late.length > 0 || uncertain.length > 0) return this.#again(key, SYNC_MS);
    return validUntilMs === undefined ? {} : this.#again(key, validUntilMs - this.#env.clock.now());
  }

  #again(key: string, delayMs: number): Reconciled {
    this.#lowering.add(key);
    return { requeueAfterMs: Math.max(0, delayMs) };
  }

  #usage(
    quota: ApiObject,
    monitors: readonly Monitor[],
    without: ReadonlySet<string>,
  ): ReturnType<typeof usageOf> {
    const startedAt = this.#env.clock.monotonic();
    const { bounds, conditions } = quotaSpec(quota);
    const counted = bounds.filter((bound) => !without.has(bound) && countsAny(monitors, bound));
    const { namespace = '' } = quota.metadata;
    const measures = monitors.flatMap((monitor) => monitor.measuresIn(namespace));
    const usage = usageOf(measures, { bounds: counted, conditions }, this.#env.clock.now());
    const tookMs = this.#env.clock.monotonic() - startedAt;
    this.#delayMs = Math.min(LONGEST_DELAY_MS, Math.max(DELAY_MS, 10 * tookMs));
    return usage;
  }

  /** Carries the resourceVersion of what was looked at: whoever counted meanwhile is not overruled. */
  async #write(key: string, quota: ApiObject, status: object, signal: AbortSignal): Promise<void> {
    const send = (): Promise<ApiObject> =>
      this.#api.subresource('status').update({ ...quota, status }, {}, signal);
    await unless(['NotFound'], () => this.#writes.write(key, quota, send, isRefusal));
  }
}

/** Nothing was written, for certain. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status.code < 500;

const countsAny = (monitors: readonly Monitor[], bound: string): boolean =>
  monitors.some(({ counted }) => counted.evaluator.counts(bound));

/** Those of the monitors that have not seen everything within the time that is waited for them. */
async function unsynced(
  monitors: readonly Monitor[],
  env: Env,
  signal: AbortSignal,
): Promise<readonly Monitor[]> {
  if (monitors.every(({ informer }) => informer.hasSynced)) return [];
  using deadline = withDeadline(signal, env.clock, SYNC_MS);
  await Promise.allSettled(monitors.map(({ informer }) => informer.synced(deadline.signal)));
  signal.throwIfAborted();
  return monitors.filter(({ informer }) => !informer.hasSynced);
}
