import { type Env, formatFence, type GaugeSeries, type Logger, sleep, withDeadline } from '@orch/machinery';
import type { Client } from '../rest/client.ts';
import { type Leadership, TimedLeadership } from './leadership.ts';
import { type Held, LeaseKeeper } from './lease-keeper.ts';

export interface LeaderElectionOptions {
  /** Not fenced: it writes the Lease itself. */
  readonly client: Client;
  readonly env: Env;
  readonly namespace: string;
  /** Of the Lease, and of the election in logs and metrics. */
  readonly name: string;
  /** Of this candidate, unlike that of every other one: `candidateIdentity` makes one. */
  readonly identity: string;
  /** How long others wait after the last renewal that they saw. Default 15 s. */
  readonly leaseDurationMs?: number;
  /** How long a leader leads after its last renewal; what is missing to the duration is for skew. Default 10 s. */
  readonly renewDeadlineMs?: number;
  /** Between tries to acquire and to renew. Default 2 s. */
  readonly retryPeriodMs?: number;
}

/** `finished`: the work ended by itself. `stopped`: the signal aborted. `lost`: the Lease could not be kept. */
export type Ended = 'finished' | 'stopped' | 'lost';

/** One candidate of an election. */
export interface LeaderElector {
  readonly isLeader: boolean;
  /** Who leads as far as is known; empty: nobody. */
  readonly leader: string;
  /** What is wrong, for health checks: a leadership that is over, and whose work goes on. */
  problem(): string | undefined;
  /**
   * Waits until this candidate leads, does the work, and resolves when that has ended. The Lease is renewed until then
   * and given up afterwards, so that nobody leads before. Rejects with what the work throws, unless it was told to end.
   * May be called again afterwards.
   */
  run(work: (leadership: Leadership) => Promise<void>, signal: AbortSignal): Promise<Ended>;
}

const defaults = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 };

/** A candidate. Durations that leave no time for skew or for a second try are refused. */
export function leaderElector(options: LeaderElectionOptions): LeaderElector {
  return new Elector({ ...defaults, ...options });
}

/** An identity for this process: where it runs, and a part by chance that no other process has. */
export const candidateIdentity = (host: string, random: Env['random']): string => `${host}_${random.uuid()}`;

class Elector implements LeaderElector {
  readonly #options: Required<LeaderElectionOptions>;
  readonly #log: Logger;
  readonly #status: GaugeSeries;
  readonly #keeper: LeaseKeeper;
  #leadership: TimedLeadership | undefined;
  #lostAt: number | undefined;

  constructor(options: Required<LeaderElectionOptions>) {
    const { env, name, identity, leaseDurationMs, renewDeadlineMs, retryPeriodMs } = options;
    if (identity === '') throw new TypeError('a candidate needs an identity');
    if (!(leaseDurationMs > renewDeadlineMs)) {
      throw new RangeError('the lease duration must be above the renew deadline');
    }
    if (!(retryPeriodMs > 0) || !(renewDeadlineMs > 1.2 * retryPeriodMs)) {
      throw new RangeError('the renew deadline must be above the retry period, and that above 0');
    }
    this.#options = options;
    this.#log = env.log.with({ component: 'leader-election', lease: `${options.namespace}/${name}` });
    this.#status = env.metrics
      .gauge({
        name: 'leader_election_master_status',
        help: 'Whether this process leads (1) or stands by (0).',
        labels: ['name'],
      })
      .series(name);
    this.#status.set(0);
    this.#keeper = new LeaseKeeper({ ...options, requestTimeoutMs: renewDeadlineMs / 2 });
  }

  get isLeader(): boolean {
    return this.#leadership?.isValid() === true;
  }

  get leader(): string {
    return this.#keeper.holder;
  }

  problem(): string | undefined {
    if (this.#leadership === undefined || this.#leadership.isHeld) return undefined;
    const { env, leaseDurationMs } = this.#options;
    this.#lostAt ??= env.clock.monotonic();
    const forMs = env.clock.monotonic() - this.#lostAt;
    if (forMs < leaseDurationMs) return undefined;
    return `leadership ended ${Math.round(forMs / 1000)} s ago and its work goes on`;
  }

  async run(work: (leadership: Leadership) => Promise<void>, signal: AbortSignal): Promise<Ended> {
    if (this.#leadership !== undefined) throw new Error('the election runs already');
    const held = await this.#acquired(signal);
    if (held === undefined) return 'stopped';
    const { env, renewDeadlineMs } = this.#options;
    const leadership = new TimedLeadership(env.clock, renewDeadlineMs, held.fence, held.sentAt);
    this.#leadership = leadership;
    this.#status.set(1);
    this.#log.info('leading', { fence: formatFence(held.fence) });
    try {
      return await this.#lead(leadership, work, signal);
    } finally {
      leadership.end();
      this.#status.set(0);
      this.#leadership = undefined;
      this.#lostAt = undefined;
    }
  }

  /** Tries until the Lease is taken; undefined when the signal came first. */
  async #acquired(signal: AbortSignal): Promise<Held | undefined> {
    const { env, renewDeadlineMs } = this.#options;
    const { clock } = env;
    let leader: string | undefined;
    while (!signal.aborted) {
      try {
        const held = await this.#keeper.acquire(signal);
        // A write that is found to have succeeded long after it was sent gives no time to lead.
        if (held !== undefined && clock.monotonic() < held.sentAt + renewDeadlineMs) return held;
      } catch (error) {
        if (signal.aborted) return undefined;
        this.#log.warn('cannot look at the Lease, trying again', { error });
      }
      if (this.leader !== leader) {
        leader = this.leader;
        this.#log.info('standing by', { leader });
      }
      await this.#pause(signal);
    }
    return undefined;
  }

  async #lead(
    leadership: TimedLeadership,
    work: (leadership: Leadership) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Ended> {
    const onStop = (): void => leadership.stop(signal.reason);
    signal.addEventListener('abort', onStop, { once: true });
    if (signal.aborted) onStop();
    const ended = new AbortController();
    const renewing = this.#renew(leadership, ended.signal);
    let failure: { readonly error: unknown } | undefined;
    try {
      // A Lease that was taken long ago, in a process that did not run meanwhile, begins no work.
      if (leadership.isValid()) await work(leadership);
    } catch (error) {
      if (!leadership.signal.aborted) failure = { error };
    } finally {
      signal.removeEventListener('abort', onStop);
      ended.abort();
    }
    await renewing;
    const isLost = !leadership.isHeld;
    if (!isLost) await this.#release(leadership);
    if (failure !== undefined) throw failure.error;
    if (isLost) return 'lost';
    return signal.aborted ? 'stopped' : 'finished';
  }

  /** Renews until the work has ended or the leadership has. Never rejects. */
  async #renew(leadership: TimedLeadership, ended: AbortSignal): Promise<void> {
    while (!ended.aborted && leadership.isHeld) {
      await this.#pause(ended);
      if (ended.aborted || !leadership.isHeld) break;
      try {
        using deadline = withDeadline(ended, this.#options.env.clock, leadership.leftMs);
        const held = await this.#keeper.renew(deadline.signal);
        if (held === undefined) leadership.lose('the Lease is held by somebody else, or was deleted');
        else leadership.extend(held.sentAt);
      } catch (error) {
        if (!ended.aborted) this.#log.warn('cannot renew', { leftMs: Math.round(leadership.leftMs), error });
      }
    }
    if (leadership.isHeld) return;
    this.#lostAt = this.#options.env.clock.monotonic();
    this.#status.set(0);
    this.#log.error('not leading any more', { reason: String(leadership.signal.reason) });
  }

  async #release(leadership: TimedLeadership): Promise<void> {
    try {
      using deadline = withDeadline(new AbortController().signal, this.#options.env.clock, leadership.leftMs);
      await this.#keeper.release(deadline.signal);
      this.#log.info('the Lease is given up');
    } catch (error) {
      this.#log.warn('cannot give up the Lease, others wait for its end', { error });
    }
  }

  /** Up to a fifth longer by chance, so that candidates do not come together. */
  #pause(signal: AbortSignal): Promise<void> {
    const { env, retryPeriodMs } = this.#options;
    const ms = retryPeriodMs + env.random.int(Math.ceil(retryPeriodMs / 5) + 1);
    return sleep(env.clock, ms, signal).catch(() => undefined);
  }
}
