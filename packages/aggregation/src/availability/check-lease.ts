import { type Cancel, type Env, messageOf } from '@orch/machinery';
import { aborted, withDeadline } from '@orch/machinery/concurrency';
import type { KeyValue, Store } from '@orch/storage';

const TTL_SECONDS = 15;
const RENEW_MS = 5_000;
/** The lease counts as lost this long before the store removes it. */
const MARGIN_MS = 3_000;
const LEAVE_MS = 1_000;

export interface CheckLeaseOptions {
  readonly store: Store;
  /** The key that replicas share. */
  readonly key: string;
  readonly env: Pick<Env, 'clock' | 'log' | 'random'>;
  /** Called when this replica has received the lease. */
  readonly acquired: () => void;
}

/**
 * Decides which replica writes the results of checks, so that replicas with different views do not overwrite each other: the
 * one that holds a key with a lease. Nothing is written before `want` is called.
 */
export class CheckLease {
  readonly #options: CheckLeaseOptions;
  readonly #value: Buffer;
  #own: KeyValue | undefined;
  #heldUntil = 0;
  #isWanted = false;
  #attempt: Promise<void> | undefined;
  #cancel: Cancel = () => undefined;
  #signal: AbortSignal | undefined;

  constructor(options: CheckLeaseOptions) {
    this.#options = options;
    this.#value = Buffer.from(JSON.stringify({ holder: options.env.random.uuid() }));
  }

  get isHeld(): boolean {
    return this.#own !== undefined && this.#options.env.clock.monotonic() < this.#heldUntil;
  }

  /** From now on this replica tries to receive the lease, and renews it. */
  want(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#start();
  }

  /** The lease is no longer renewed, because nothing is left to be written. */
  release(): void {
    this.#isWanted = false;
  }

  /** Takes part until the signal aborts, and gives the lease up then. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    if (this.#isWanted) this.#start();
    await aborted(signal);
    this.#signal = undefined;
    this.#cancel();
    await this.#attempt;
    await this.#leave();
  }

  #start(): void {
    const signal = this.#signal;
    if (signal === undefined || this.#attempt !== undefined) return;
    this.#cancel();
    this.#attempt = this.#renew(signal).finally(() => {
      this.#attempt = undefined;
      if (this.#signal === undefined || !this.#isWanted) return;
      this.#cancel = this.#options.env.clock.schedule(RENEW_MS, () => this.#start());
    });
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { store, key, env, acquired } = this.#options;
    const wasHeld = this.isHeld;
    const started = env.clock.monotonic();
    try {
      const own = this.#own;
      const write = { key, value: this.#value, ttlSeconds: TTL_SECONDS };
      const committed = await store.commit(
        own === undefined
          ? { op: 'create', ...write }
          : { op: 'update', ...write, expected: own.modRevision },
        signal,
      );
      if (committed.ok) {
        this.#own = { key, value: this.#value, createRevision: committed.rev, modRevision: committed.rev };
        this.#heldUntil = started + TTL_SECONDS * 1000 - MARGIN_MS;
      } else this.#own = this.#ownIn(committed.current);
    } catch (error) {
      if (!signal.aborted)
        env.log.warn('the lease for checks of API services could not be renewed', {
          error: messageOf(error),
        });
      return;
    }
    if (this.isHeld && !wasHeld) acquired();
  }

  /** A write with an unknown outcome may have taken effect. */
  #ownIn(current: KeyValue | undefined): KeyValue | undefined {
    return current?.value?.equals(this.#value) === true ? current : undefined;
  }

  async #leave(): Promise<void> {
    if (this.#own === undefined) return;
    const { key, modRevision: expected } = this.#own;
    this.#own = undefined;
    const { store, env } = this.#options;
    try {
      using limit = withDeadline(new AbortController().signal, env.clock, LEAVE_MS);
      await store.commit({ op: 'delete', key, expected }, limit.signal);
    } catch (error) {
      env.log.debug(2, 'the lease for checks of API services was not given up', { error: messageOf(error) });
    }
  }
}
