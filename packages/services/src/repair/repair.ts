import { type Env, isJsonObject, jsonEquals, parseJson, sleep } from '@orch/machinery';
import type { KeyValue, Store } from '@orch/storage';
import type { Claims } from '../allocate/claims.ts';
import { judge, planRepair, type RepairPlan, type Suspects } from './repair-plan.ts';
import type { Reported } from './report-finding.ts';
import type { ServiceUsers } from './service-users.ts';

/** What a repair found; also the values of the label of its metrics. */
export type Finding = 'leak' | 'missing' | 'misnamed' | 'duplicate' | 'outOfRange';

/** One kind of values that services have: addresses, or node ports. */
export interface RepairSubject {
  readonly kind: 'addresses' | 'ports';
  readonly claims: Claims;
  isInRange(value: string): boolean;
  count(finding: Finding): void;
}

export interface RepairOptions {
  readonly store: Store;
  readonly env: Pick<Env, 'clock' | 'log'>;
  /** Through which the replicas agree on who repairs, and remember what they saw. */
  readonly key: string;
  readonly subjects: readonly RepairSubject[];
  /** All services as they are at `rev` or later. */
  readonly users: (rev: number, signal: AbortSignal) => Promise<ServiceUsers>;
  /** Tells people about a service that has what it should not have. */
  readonly report: (reported: Reported, signal: AbortSignal) => Promise<void>;
  /** Default 3 minutes. */
  readonly intervalMs?: number;
}

const DEFAULT_INTERVAL_MS = 3 * 60 * 1000;

interface State {
  readonly addresses: Suspects;
  readonly ports: Suspects;
}

const nothingSuspect: State = { addresses: {}, ports: {} };

/**
 * Keeps claims and services in agreement, one replica at a time: what a service has is claimed, what is claimed and had
 * by none for several rounds is given back, what two have is told. A round is begun by whoever first replaces the key an
 * interval after having seen it; the interval is that of its own clock, so rounds are never closer than that.
 */
export class Repair {
  readonly #options: RepairOptions;
  readonly #intervalMs: number;

  constructor(options: RepairOptions) {
    this.#options = options;
    this.#intervalMs = options.intervalMs ?? DEFAULT_INTERVAL_MS;
  }

  /** On a store that was never looked at, claims what its services have: before anything is given out. */
  async first(signal: AbortSignal): Promise<void> {
    const { store, key } = this.#options;
    const { kv } = await store.get(key, signal);
    if (kv !== undefined) return;
    await this.round(nothingSuspect, signal);
    await store.commit({ op: 'create', key, value: encode(nothingSuspect) }, signal);
  }

  /** Claims what is unclaimed, then repairs every interval; returns when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    let seen: KeyValue | undefined;
    let isFirst = true;
    while (!signal.aborted) {
      try {
        // A restart may follow another within seconds: its look counts for nothing.
        if (isFirst) await this.round(nothingSuspect, signal);
        else seen = await this.#takeTurn(seen, signal);
        isFirst = false;
        seen ??= await this.#read(signal);
      } catch (error) {
        if (signal.aborted) return;
        seen = undefined;
        const message = error instanceof Error ? error.message : String(error);
        this.#options.env.log.warn('repairing allocations failed and will be tried again', {
          error: message,
        });
      }
      await sleep(this.#options.env.clock, this.#intervalMs, signal).catch(() => undefined);
    }
  }

  /** Compares and repairs once; returns what to look at again. */
  async round(before: State, signal: AbortSignal): Promise<State> {
    const { subjects, users } = this.#options;
    // Claims first: what they are compared with is at least as new.
    const found = await Promise.all(
      subjects.map(async (subject) => ({ subject, ...(await subject.claims.all(signal)) })),
    );
    const services = await users(Math.max(0, ...found.map(({ rev }) => rev)), signal);
    const after = { ...nothingSuspect };
    for (const { subject, claims } of found) {
      const plan = planRepair({
        users: services[subject.kind],
        claims,
        isInRange: (value) => subject.isInRange(value),
      });
      // What cannot be read may have any value.
      const unused = services.unreadable > 0 ? [] : plan.unused;
      const { release, suspects } = judge(unused, before[subject.kind]);
      after[subject.kind] = suspects;
      await this.#apply(subject, plan, signal);
      await subject.claims.release(release);
      for (const claim of release) {
        subject.count('leak');
        this.#options.env.log.info('a leaked value of services was given back', { value: claim.value });
      }
    }
    return after;
  }

  async #apply(subject: RepairSubject, plan: RepairPlan, signal: AbortSignal): Promise<void> {
    const report = (reported: Reported): Promise<void> => this.#report(reported, signal);
    for (const { value, user } of plan.unclaimed) {
      await subject.claims.take(value, user, signal);
      subject.count('missing');
    }
    for (const { claim, user } of plan.misnamed) {
      await subject.claims.reassign(claim, user, signal);
      subject.count('misnamed');
    }
    const { kind } = subject;
    for (const { value, others } of plan.shared) {
      for (const user of others) await report({ user, kind, finding: 'duplicate', value });
      subject.count('duplicate');
    }
    for (const { value, user } of plan.outside) {
      await report({ user, kind, finding: 'outOfRange', value });
      subject.count('outOfRange');
    }
  }

  /** Nobody to tell, as in a namespace that is going away, is no reason to stop. */
  async #report(reported: Reported, signal: AbortSignal): Promise<void> {
    const { user, finding, value } = reported;
    const { log } = this.#options.env;
    try {
      await this.#options.report(reported, signal);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const { namespace, name } = user;
      log.warn('a service could not be told what is wrong with it', {
        namespace,
        service: name,
        finding,
        value,
        error: message,
      });
    }
  }

  /** Repairs unless another replica did meanwhile. The version of the key to wait on from now. */
  async #takeTurn(seen: KeyValue | undefined, signal: AbortSignal): Promise<KeyValue | undefined> {
    if (seen === undefined) return this.#read(signal);
    const begun = await this.#write(seen, decode(seen.value), signal);
    if (!begun.isOurs) return begun.kv;
    const after = await this.round(decode(seen.value), signal);
    if (begun.kv === undefined || jsonEquals(after, decode(begun.kv.value))) return begun.kv;
    return (await this.#write(begun.kv, after, signal)).kv;
  }

  async #read(signal: AbortSignal): Promise<KeyValue | undefined> {
    const { store, key } = this.#options;
    const { kv } = await store.get(key, signal);
    if (kv !== undefined) return kv;
    const value = encode(nothingSuspect);
    const committed = await store.commit({ op: 'create', key, value }, signal);
    if (!committed.ok) return committed.current;
    return { key, value, createRevision: committed.rev, modRevision: committed.rev };
  }

  async #write(
    seen: KeyValue,
    state: State,
    signal: AbortSignal,
  ): Promise<{ readonly isOurs: boolean; readonly kv: KeyValue | undefined }> {
    const { store, key } = this.#options;
    const value = encode(state);
    const committed = await store.commit({ op: 'update', key, value, expected: seen.modRevision }, signal);
    if (!committed.ok) return { isOurs: false, kv: committed.current };
    return { isOurs: true, kv: { ...seen, value, modRevision: committed.rev } };
  }
}

const encode = (state: State): Buffer => Buffer.from(JSON.stringify(state));

/** What another version of the program wrote otherwise is no suspicion. */
function decode(value: Buffer): State {
  try {
    const read = parseJson(value);
    if (!isJsonObject(read)) return nothingSuspect;
    return { addresses: suspectsOf(read['addresses']), ports: suspectsOf(read['ports']) };
  } catch {
    return nothingSuspect;
  }
}

function suspectsOf(read: unknown): Suspects {
  if (!isJsonObject(read)) return {};
  const suspects: Record<string, readonly [number, number]> = {};
  for (const [value, entry] of Object.entries(read)) {
    const [rev, seen] = Array.isArray(entry) ? entry : [];
    if (Number.isSafeInteger(rev) && Number.isSafeInteger(seen))
      suspects[value] = [Number(rev), Number(seen)];
  }
  return suspects;
}
