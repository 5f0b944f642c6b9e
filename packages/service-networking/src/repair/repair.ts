import type { Env } from '@orch/machinery';
import { isJsonObject, jsonEquals, parseJson } from '@orch/machinery/json';
import { runRounds } from '@orch/machinery/queue';
import { type ReadableKeyValue, readable, type Store } from '@orch/storage';
import type { Allocations } from '../allocate/allocation-store.ts';
import type { AddressUsers } from './repair-objects.ts';
import { classifyUnused, planRepair, type RepairPlan, type UnusedRounds } from './repair-plan.ts';
import type { AllocationErrorReport } from './report-allocation-error.ts';
import type { ServiceUsers } from './service-users.ts';

/** Types of allocation errors; also the values of the metric label `type`. */
export type AllocationErrorType = 'leak' | 'missing' | 'misnamed' | 'duplicate' | 'outOfRange';

/** One kind of values of services: addresses, or node ports. */
export interface RepairTarget {
  readonly kind: 'addresses' | 'ports';
  readonly allocations: Allocations;
  isInRange(value: string): boolean;
  count(errorType: AllocationErrorType): void;
  /** Repairs what clients see of the allocations. */
  repairObjects?(users: AddressUsers, signal: AbortSignal): Promise<void>;
}

export interface RepairOptions {
  readonly store: Store;
  readonly env: Env;
  /** Key with which the replicas elect who repairs; it also holds the unused allocations of earlier rounds. */
  readonly key: string;
  readonly targets: readonly RepairTarget[];
  /** All services, with every write that was acknowledged before the call. */
  readonly users: (signal: AbortSignal) => Promise<ServiceUsers>;
  /** Reports an allocation error to the owner of the service. */
  readonly report: (reported: AllocationErrorReport, signal: AbortSignal) => Promise<void>;
  /** Default 3 minutes. */
  readonly intervalMs?: number;
}

const DEFAULT_INTERVAL_MS = 3 * 60 * 1000;

interface State {
  readonly addresses: UnusedRounds;
  readonly ports: UnusedRounds;
}

const initialState: State = { addresses: {}, ports: {} };

/**
 * The allocation repair loop. It runs on one replica at a time: values used by services are allocated, allocations that
 * were unused for several rounds are released, and duplicates are reported. A round is run by the replica that first
 * updates the key one interval after reading it, measured by its own clock; rounds are therefore never closer than one
 * interval.
 */
export class Repair {
  readonly #options: RepairOptions;
  readonly #intervalMs: number;

  constructor(options: RepairOptions) {
    this.#options = options;
    this.#intervalMs = options.intervalMs ?? DEFAULT_INTERVAL_MS;
  }

  /** On a store without a previous round, allocates the values of existing services before any other value is allocated. */
  async first(signal: AbortSignal): Promise<void> {
    const { store, key } = this.#options;
    const { kv } = await store.get(key, signal);
    if (kv !== undefined) return;
    await this.round(initialState, signal);
    await store.commit({ op: 'create', key, value: encode(initialState) }, signal);
  }

  /** Allocates unallocated values, then repairs every interval; returns when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    let seen: ReadableKeyValue | undefined;
    let isFirst = true;
    const round = async (until: AbortSignal): Promise<void> => {
      const before = seen;
      // A failed round begins again by reading the key.
      seen = undefined;
      // Restarts may follow each other within seconds: the first round does not count.
      if (isFirst) await this.round(initialState, until);
      else seen = await this.#tryRound(before, until);
      isFirst = false;
      seen ??= await this.#read(until);
    };
    const name = 'service_allocation_repair';
    const failed = 'repair of service allocations failed and will be retried';
    await runRounds({ env: this.#options.env, name, failed, intervalMs: this.#intervalMs, round }, signal);
  }

  /** Compares and repairs once; returns the state for the next round. */
  async round(before: State, signal: AbortSignal): Promise<State> {
    const { targets, users } = this.#options;
    // Allocations are read first, so that the services are at least as new.
    const found = await Promise.all(
      targets.map(async (target) => ({ target, allocations: await target.allocations.all(signal) })),
    );
    const services = await users(signal);
    const after = { ...initialState };
    for (const { target, allocations } of found) {
      const plan = planRepair({
        users: services[target.kind],
        allocations,
        isInRange: (value) => target.isInRange(value),
      });
      // A service that cannot be decoded may use any value.
      const unused = services.unreadable > 0 ? [] : plan.unused;
      const { release, unusedRounds } = classifyUnused(unused, before[target.kind]);
      after[target.kind] = unusedRounds;
      await this.#apply(target, plan, signal);
      await target.repairObjects?.(services[target.kind], signal);
      await target.allocations.release(release);
      for (const allocation of release) {
        target.count('leak');
        this.#options.env.log.info('released an unused allocation', { value: allocation.value });
      }
    }
    return after;
  }

  async #apply(target: RepairTarget, plan: RepairPlan, signal: AbortSignal): Promise<void> {
    const report = (reported: AllocationErrorReport): Promise<void> => this.#report(reported, signal);
    for (const { value, user } of plan.unallocated) {
      await target.allocations.take(value, user, signal);
      target.count('missing');
    }
    for (const { allocation, user } of plan.misnamed) {
      await target.allocations.reassign(allocation, user, signal);
      target.count('misnamed');
    }
    const { kind } = target;
    for (const { value, others } of plan.shared) {
      for (const user of others) await report({ user, kind, errorType: 'duplicate', value });
      target.count('duplicate');
    }
    for (const { value, user } of plan.outside) {
      await report({ user, kind, errorType: 'outOfRange', value });
      target.count('outOfRange');
    }
  }

  /** A failed report, for example in a namespace that is being deleted, does not stop the repair. */
  async #report(reported: AllocationErrorReport, signal: AbortSignal): Promise<void> {
    const { user, errorType, value } = reported;
    const { log } = this.#options.env;
    try {
      await this.#options.report(reported, signal);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const { namespace, name } = user;
      log.warn('reporting an allocation error failed', {
        namespace,
        service: name,
        errorType,
        value,
        error: message,
      });
    }
  }

  /** Repairs unless another replica did so since. Returns the version of the key to compare with next time. */
  async #tryRound(
    seen: ReadableKeyValue | undefined,
    signal: AbortSignal,
  ): Promise<ReadableKeyValue | undefined> {
    if (seen === undefined) return this.#read(signal);
    const begun = await this.#write(seen, decode(seen.value), signal);
    if (!begun.isOurs) return begun.kv;
    const after = await this.round(decode(seen.value), signal);
    if (begun.kv === undefined || jsonEquals(after, decode(begun.kv.value))) return begun.kv;
    return (await this.#write(begun.kv, after, signal)).kv;
  }

  async #read(signal: AbortSignal): Promise<ReadableKeyValue | undefined> {
    const { store, key } = this.#options;
    const { kv } = await store.get(key, signal);
    if (kv !== undefined) return readable(kv);
    const value = encode(initialState);
    const committed = await store.commit({ op: 'create', key, value }, signal);
    if (!committed.ok) return readable(committed.current);
    return { key, value, createRevision: committed.rev, modRevision: committed.rev };
  }

  async #write(
    seen: ReadableKeyValue,
    state: State,
    signal: AbortSignal,
  ): Promise<{ readonly isOurs: boolean; readonly kv: ReadableKeyValue | undefined }> {
    const { store, key } = this.#options;
    const value = encode(state);
    const committed = await store.commit({ op: 'update', key, value, expected: seen.modRevision }, signal);
    if (!committed.ok) return { isOurs: false, kv: readable(committed.current) };
    return { isOurs: true, kv: { ...seen, value, modRevision: committed.rev } };
  }
}

const encode = (state: State): Buffer => Buffer.from(JSON.stringify(state));

/** State in an unknown format, as another release may write it, is ignored. */
function decode(value: Buffer): State {
  try {
    const read = parseJson(value);
    if (!isJsonObject(read)) return initialState;
    return { addresses: unusedRoundsOf(read['addresses']), ports: unusedRoundsOf(read['ports']) };
  } catch {
    return initialState;
  }
}

function unusedRoundsOf(read: unknown): UnusedRounds {
  if (!isJsonObject(read)) return {};
  const unusedRounds: Record<string, readonly [number, number]> = {};
  for (const [value, entry] of Object.entries(read)) {
    const [rev, seen] = Array.isArray(entry) ? entry : [];
    if (Number.isSafeInteger(rev) && Number.isSafeInteger(seen))
      unusedRounds[value] = [Number(rev), Number(seen)];
  }
  return unusedRounds;
}
