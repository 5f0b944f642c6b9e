import {
  type Change,
  type Controller,
  type ControllerContext,
  controller,
  type Informer,
  informerSource,
  type kinds,
  objectKey,
  periodicSource,
  type Reconciled,
  type ResourceClient,
  typed,
} from '@orch/client';
import { ApiError, type ApiObject, type Env } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { type Amounts, growthOf, type Measure, usageOf } from '@orch/quota';
import { ignoreReasons } from '../api/writes.ts';
import { type Lowered, Lowering } from './lowering.ts';
import type { Monitor } from './monitor.ts';
import { Monitors } from './monitors.ts';
import { OwnWrites } from './own-writes.ts';
import { nextStatus, quotaSpec, sameSpec, usesMore } from './status.ts';

type ResourceQuota = kinds.core.ResourceQuota;

const BY_NAMESPACE = 'resourcequota-namespace';
const namespaceOf = ({ metadata }: ApiObject): readonly string[] => [metadata.namespace ?? ''];

/** Changes are batched for this long, so that counting takes at most a tenth of the time. */
const DELAY_MS = 100;
const MAX_DELAY_MS = 5000;
/**
 * Time that a new monitor may take to list its objects, and after which a quota with missing monitors is counted again.
 */
const SYNC_MS = 5000;

export interface ResourceQuotaOptions {
  readonly concurrency: number;
  /** Interval at which all quotas are counted, independent of changes. */
  readonly resyncMs: number;
}

/** Maintains `status.used` of quotas by counting objects. */
export function resourceQuotaController(
  context: ControllerContext,
  options: ResourceQuotaOptions,
): Controller {
  const counter = new QuotaCounter(context);
  return controller({
    name: 'resourcequota',
    concurrency: options.concurrency,
    sources: [
      { run: (add, signal) => counter.run(add, signal), synced: () => Promise.resolve() },
      informerSource(counter.informer, { filter: (change) => counter.mustCount(change) }),
      periodicSource(context.env, options.resyncMs, () => counter.all()),
    ],
    reconcile: (key, signal) => counter.reconcile(key, signal),
  });
}

interface StatusUpdate {
  readonly key: string;
  readonly quota: ResourceQuota;
  readonly status: kinds.core.ResourceQuotaStatus;
  /** The amounts that the update may have lowered. */
  readonly lowered: Lowered;
}

class QuotaCounter {
  readonly informer: Informer<ResourceQuota>;
  readonly #env: Env;
  readonly #api: ResourceClient<ResourceQuota>;
  readonly #monitors: Monitors;
  readonly #writes = new OwnWrites();
  readonly #lowering = new Lowering();
  /** Quotas whose last status update must be in the cache before they are counted again. */
  readonly #waiting = new Set<string>();
  #add: (key: string, delayMs?: number) => void = () => {};
  #delayMs = DELAY_MS;

  constructor(context: ControllerContext) {
    const { client, informers, env } = context;
    this.#api = typed(client).core.v1.resourcequotas;
    this.informer = informers.informer(this.#api.resource, { indexes: { [BY_NAMESPACE]: namespaceOf } });
    this.#env = env;
    this.#monitors = new Monitors(context, (monitor, change) => this.#onUse(monitor, change));
  }

  async run(add: (key: string, delayMs?: number) => void, signal: AbortSignal): Promise<void> {
    this.#add = add;
    await this.#monitors.run(signal);
  }

  /**
   * Reports whether a change of a quota requires a count. Status updates by others do not: they may be ahead of the cache. The
   * arrival of the last own update does when a count waits for it.
   */
  mustCount(change: Change<ResourceQuota>): boolean {
    const key = objectKey(change.object);
    if (change.type === 'deleted') {
      this.#lowering.forget(key);
      this.#waiting.delete(key);
      this.#writes.forget(key);
      return false;
    }
    const wasWaiting = this.#waiting.delete(key);
    const old = change.type === 'updated' ? change.old : undefined;
    if (old === undefined || usesMore(old, change.object))
      this.#lowering.added(key, this.#env.clock.monotonic());
    if (old !== undefined && sameSpec(old, change.object)) return wasWaiting;
    this.#lowering.recount(key);
    return true;
  }

  all(): readonly string[] {
    const keys = [...this.informer.store.values()].map(objectKey);
    for (const key of keys) this.#lowering.recount(key);
    return keys;
  }

  #onUse(monitor: Monitor, change: Change): void {
    const { namespace = '' } = change.object.metadata;
    const concerned = this.informer.store
      .byIndex(BY_NAMESPACE, namespace)
      .filter((quota) => quotaSpec(quota).bounds.some((bound) => monitor.counted.evaluator.counts(bound)));
    // Objects that no quota bounds are not measured, to save time and memory.
    const use = concerned.length === 0 ? undefined : monitor.useChange(change);
    if (use === undefined) return;
    for (const quota of concerned) {
      const key = objectKey(quota);
      if (use.before !== undefined) this.#lowering.release(key, this.#released(quota, use.before, use.after));
      this.#add(key, this.#delayMs);
    }
  }

  /** The amounts that an object of a quota no longer uses. */
  #released(quota: ResourceQuota, before: Measure, after: Measure | undefined): Amounts {
    const { bounds, conditions } = quotaSpec(quota);
    const nowMs = this.#env.clock.now();
    return growthOf({ next: before, old: after }, { bounds: new Set(bounds), conditions }, nowMs);
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Reconciled> {
    const quota = this.informer.store.get(key);
    if (quota === undefined) return {};
    if (this.#writes.freshness(key, quota) === 'stale') {
      this.#waiting.add(key);
      return {};
    }
    return this.#count(key, signal);
  }

  async #count(key: string, signal: AbortSignal): Promise<Reconciled> {
    const { bounds } = quotaSpec(this.informer.store.get(key) ?? { metadata: {} });
    const { monitors, uncertain } = await this.#monitors.forBounds(bounds, signal);
    const late = await unsynced(monitors, this.#env, signal);
    const lateBounds = bounds.filter((bound) => countsAny(late, bound));
    const quota = this.informer.store.get(key);
    if (quota === undefined) return {};
    const { used, validUntilMs } = this.#usage(quota, monitors, new Set(lateBounds));
    const lowered = this.#lowering.take(key, this.#env.clock.monotonic());
    const status = nextStatus(quota, {
      used,
      uncertain: new Set([...uncertain, ...lateBounds]),
      mayLower: lowered.isUnlimited,
      released: lowered.released,
      isUncertain: this.#writes.freshness(key, quota) === 'uncertain',
    });
    if (status !== undefined) await this.#write({ key, quota, status, lowered }, signal);
    if (late.length > 0 || uncertain.length > 0) return this.#recountAfter(key, SYNC_MS);
    if (lowered.retryAfterMs !== undefined) return { requeueAfterMs: lowered.retryAfterMs };
    return validUntilMs === undefined ? {} : this.#recountAfter(key, validUntilMs - this.#env.clock.now());
  }

  #recountAfter(key: string, delayMs: number): Reconciled {
    this.#lowering.recount(key);
    return { requeueAfterMs: Math.max(0, delayMs) };
  }

  #usage(
    quota: ResourceQuota,
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
    this.#delayMs = Math.min(MAX_DELAY_MS, Math.max(DELAY_MS, 10 * tookMs));
    return usage;
  }

  /** The update carries the resourceVersion of the counted quota, so that it never replaces a newer count. */
  async #write({ key, quota, status, lowered }: StatusUpdate, signal: AbortSignal): Promise<void> {
    const send = (): Promise<ResourceQuota> =>
      this.#api.subresource('status').update({ ...quota, status }, {}, signal);
    try {
      await ignoreReasons(['NotFound'], () => this.#writes.write({ key, cached: quota }, send, isRejection));
    } catch (error) {
      this.#lowering.restore(key, lowered);
      throw error;
    }
  }
}

/** Reports whether a failed write certainly changed nothing. */
const isRejection = (error: unknown): boolean => error instanceof ApiError && error.status.code < 500;

const countsAny = (monitors: readonly Monitor[], bound: string): boolean =>
  monitors.some(({ counted }) => counted.evaluator.counts(bound));

/** The monitors that have not listed their objects within `SYNC_MS`. */
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
