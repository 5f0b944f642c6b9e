import type { ClientHttp2Session } from 'node:http2';
import type { Clock } from '@orch/machinery';

/** A connection is asked for life after `intervalMs`, and is dead when it says nothing for `timeoutMs` more. */
export interface KeepAliveTimes {
  readonly intervalMs: number;
  readonly timeoutMs: number;
}

/** Notices that a peer is gone without a word: machines that lost power, cables, firewalls that forgot. */
export class KeepAlive {
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  readonly #times: KeepAliveTimes;
  readonly #dead: (reason: string) => void;
  #heardAt: number;
  #cancel: () => void = () => {};
  #isOver = false;

  constructor(
    session: ClientHttp2Session,
    clock: Clock,
    times: KeepAliveTimes,
    dead: (reason: string) => void,
  ) {
    this.#session = session;
    this.#clock = clock;
    this.#times = times;
    this.#dead = dead;
    this.#heardAt = clock.monotonic();
    this.#wait();
  }

  /** The peer said something. */
  heard(): void {
    this.#heardAt = this.#clock.monotonic();
  }

  end(): void {
    this.#isOver = true;
    this.#cancel();
  }

  #wait(): void {
    this.#cancel = this.#clock.schedule(this.#times.intervalMs, () => this.#ask());
  }

  #ask(): void {
    if (this.#isOver || this.#session.destroyed) return;
    const askedAt = this.#clock.monotonic();
    this.#cancel = this.#clock.schedule(this.#times.timeoutMs, () => {
      // A slow line may hold the answer back behind data: data is life too.
      if (this.#heardAt > askedAt) this.#ask();
      else this.#dead(`the server did not answer a ping within ${this.#times.timeoutMs} ms`);
    });
    this.#session.ping((error) => {
      if (error !== null || this.#isOver) return;
      this.heard();
      this.#cancel();
      this.#wait();
    });
  }
}
