import { checkFiniteOptions, type Env, formatFence, type GaugeSeries, type Logger } from '@orch/machinery';
import { sleep, withDeadline } from '@orch/machinery/concurrency';
import type { Client } from '../client.ts';
import { type Leadership, TimedLeadership } from './leadership.ts';
import { type Held, LeaseKeeper } from './lease-keeper.ts';

/** The Lease of an election, the name of this candidate, and the durations. */
export interface LeaderElectionOptions {
  /** Not fenced: it writes the Lease. */
  readonly client: Client;
  readonly env: Env;
  readonly namespace: string;
  /** Name of the Lease, and of the election in logs and metrics. */
  readonly name: string;
  /** Identity of this candidate, which must be unique: see `candidateIdentity`. */
  readonly identity: string;
  /** Time that candidates wait after the last observed renewal. Default 15 s. */
  readonly leaseDurationMs?: number;
  /**
   * Time that a leader leads after its last renewal; the difference to the lease duration covers clock skew. Default 10
   * s.
   */
  readonly renewDeadlineMs?: number;
  /** Interval between attempts to acquire and to renew. Default 2 s. */
  readonly retryPeriodMs?: number;
}

/** `finished`: the work has ended. `stopped`: the signal aborted. `lost`: the Lease could not be renewed. */
export type Ended = 'finished' | 'stopped' | 'lost';

/** One candidate of an election. */
export interface LeaderElector {
  readonly isLeader: boolean;
  /** The observed leader; empty without one. */
  readonly leader: string;
  /** A problem for health checks: work that continues after the end of the leadership. */
  problem(): string | undefined;
  /**
   * Waits until this candidate leads, runs the work, and resolves when that has ended. The Lease is renewed until then and
   * released afterwards, so that no other candidate leads before. Rejects with the error of the work, unless its signal was
   * aborted. Can be called again afterwards.
   */
  run(work: (leadership: Leadership) => Promise<void>, signal: AbortSignal): Promise<Ended>;
}

const defaults = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 };

/** Creates a candidate. Throws for durations without time for clock skew or for a second attempt. */
export function leaderElector(options: LeaderElectionOptions): LeaderElector {
  return new Elector({ ...defaults, ...options });
}

/** A unique identity for this process: its host and a random part. */
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
    checkFiniteOptions(options, ['leaseDurationMs', 'renewDeadlineMs', 'retryPeriodMs']);
    if (identity === '') throw new TypeError('the identity of a candidate must not be empty');
    if (!(leaseDurationMs > renewDeadlineMs)) {
      throw new RangeError('the lease duration must be greater than the renew deadline');
    }
    if (!(retryPeriodMs > 0) || !(renewDeadlineMs > 1.2 * retryPeriodMs)) {
      throw new RangeError(
        'the renew deadline must be greater than the retry period, which must be positive',
      );
    }
    this.#options = options;
    this.#log = env.log.with({ component: 'leader-election', lease: `${options.namespace}/${name}` });
    this.#status = env.metrics
      .gauge({
        name: 'leader_election_master_status',
        help: 'Whether this process is the leader (1) or a standby (0).',
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
    return `leadership ended ${Math.round(forMs / 1000)} s ago and its work continues`;
  }

  async run(work: (leadership: Leadership) => Promise<void>, signal: AbortSignal): Promise<Ended> {
    if (this.#leadership !== undefined) throw new Error('the election is running already');
    const held = await this.#acquired(signal);
    if (held === undefined) return 'stopped';
    const { env, renewDeadlineMs } = this.#options;
    const leadership = new TimedLeadership(
      { clock: env.clock, termMs: renewDeadlineMs },
      held.fence,
      held.sentAt,
    );
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

  /** Retries until the Lease is acquired; undefined when the signal aborts before. */
  async #acquired(signal: AbortSignal): Promise<Held | undefined> {
    const { env, renewDeadlineMs } = this.#options;
    const { clock } = env;
    let leader: string | undefined;
    while (!signal.aborted) {
      try {
        const held = await this.#keeper.acquire(signal);
        // A write whose success is detected long after it was sent leaves no time to lead.
        if (held !== undefined && clock.monotonic() < held.sentAt + renewDeadlineMs) return held;
      } catch (error) {
        if (signal.aborted) return undefined;
        this.#log.warn('cannot acquire the Lease, trying again', { error });
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
      // A Lease that was acquired long ago, by a process that was suspended since, starts no work.
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

  /** Renews the Lease until the work or the leadership has ended. Never rejects. */
  async #renew(leadership: TimedLeadership, ended: AbortSignal): Promise<void> {
    while (!ended.aborted && leadership.isHeld) {
      await this.#pause(ended);
      if (ended.aborted || !leadership.isHeld) break;
      try {
        using deadline = withDeadline(ended, this.#options.env.clock, leadership.leftMs);
        const held = await this.#keeper.renew(deadline.signal);
        if (held === undefined) leadership.lose('the Lease has another holder, or was deleted');
        else leadership.extend(held.sentAt);
      } catch (error) {
        if (!ended.aborted) this.#log.warn('cannot renew', { leftMs: Math.round(leadership.leftMs), error });
      }
    }
    if (leadership.isHeld) return;
    this.#lostAt = this.#options.env.clock.monotonic();
    this.#status.set(0);
    this.#log.error('leadership has ended', { reason: String(leadership.signal.reason) });
  }

  async #release(leadership: TimedLeadership): Promise<void> {
    try {
      using deadline = withDeadline(new AbortController().signal, this.#options.env.clock, leadership.leftMs);
      await this.#keeper.release(deadline.signal);
      this.#log.info('released the Lease');
    } catch (error) {
      this.#log.warn('cannot release the Lease, other candidates wait until it expires', { error });
    }
  }

  /** With up to 20 % of jitter, so that candidates do not send requests simultaneously. */
  #pause(signal: AbortSignal): Promise<void> {
    const { env, retryPeriodMs } = this.#options;
    const ms = retryPeriodMs + env.random.int(Math.ceil(retryPeriodMs / 5) + 1);
    return sleep(env.clock, ms, signal).catch(() => undefined);
  }
}
