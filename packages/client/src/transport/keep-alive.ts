import type { ClientHttp2Session } from 'node:http2';
import type { Clock } from '@orch/machinery';

/** A ping is sent after `intervalMs` without data, and the connection is dead after `timeoutMs` without a response. */
export interface KeepAliveTimes {
  readonly intervalMs: number;
  readonly timeoutMs: number;
}

/** Detects peers that disappeared without closing the connection: power loss, network failures, expired NAT entries. */
export class KeepAlive {
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  readonly #times: KeepAliveTimes;
  readonly #dead: (reason: string) => void;
  #receivedAt: number;
  #cancel: () => void = () => {};
  #isOver = false;

  constructor(
    session: ClientHttp2Session,
    { clock, times }: { readonly clock: Clock; readonly times: KeepAliveTimes },
    dead: (reason: string) => void,
  ) {
    this.#session = session;
    this.#clock = clock;
    this.#times = times;
    this.#dead = dead;
    this.#receivedAt = clock.monotonic();
    this.#wait();
  }

  /** Data was received. */
  onData(): void {
    this.#receivedAt = this.#clock.monotonic();
  }

  end(): void {
    this.#isOver = true;
    this.#cancel();
  }

  #wait(): void {
    this.#cancel = this.#clock.schedule(this.#times.intervalMs, () => this.#ping());
  }

  #ping(): void {
    if (this.#isOver || this.#session.destroyed) return;
    const pingedAt = this.#clock.monotonic();
    this.#cancel = this.#clock.schedule(this.#times.timeoutMs, () => {
      // A slow connection may delay the pong behind data, so that data counts as well.
      if (this.#receivedAt > pingedAt) this.#ping();
      else this.#dead(`the server did not respond to a ping within ${this.#times.timeoutMs} ms`);
    });
    this.#session.ping((error) => {
      if (error !== null || this.#isOver) return;
      this.onData();
      this.#cancel();
      this.#wait();
    });
  }
}
