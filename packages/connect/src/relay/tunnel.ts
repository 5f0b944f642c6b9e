import type { Duplex } from 'node:stream';
import { type Clock, onAbort } from '@orch/machinery';
import { type Deadline, type DeadlineQueue, disarm } from '@orch/request';

export interface TunnelOptions {
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** The server goes away: what is left has `drainGraceMs`. */
  readonly draining: AbortSignal;
  readonly clock: Clock;
  readonly drainGraceMs: number;
  /** How long nothing may move while both ends are open. */
  readonly idle: DeadlineQueue;
  /** How long nothing may move when one end has said everything. */
  readonly halfOpen: DeadlineQueue;
}

/**
 * Carries bytes between two connections both ways until both have said everything, one breaks, or nothing moves for too
 * long. Keeps no more than the two sockets' own buffers: an end that does not take what the other sends stops the
 * other. The end of one direction is passed on and leaves the other open. Both are closed when it resolves.
 */
export function tunnel(client: Duplex, backend: Duplex, options: TunnelOptions): Promise<void> {
  return new Promise((resolve) => new Tunnel(client, backend, options, resolve).run());
}

class Tunnel {
  readonly #client: Duplex;
  readonly #backend: Duplex;
  readonly #options: TunnelOptions;
  readonly #resolve: () => void;
  readonly #undo: (() => void)[] = [];
  #deadline: Deadline | undefined;
  #openDirections = 2;
  #isOver = false;

  constructor(client: Duplex, backend: Duplex, options: TunnelOptions, resolve: () => void) {
    this.#client = client;
    this.#backend = backend;
    this.#options = options;
    this.#resolve = resolve;
  }

  run(): void {
    const { signal, draining, clock, drainGraceMs } = this.#options;
    this.#carry(this.#client, this.#backend);
    this.#carry(this.#backend, this.#client);
    if (this.#client.destroyed || this.#backend.destroyed) {
      this.#end();
      return;
    }
    this.#touch();
    this.#undo.push(onAbort(signal, () => this.#end()));
    this.#undo.push(
      onAbort(draining, () => {
        if (!this.#isOver) this.#undo.push(clock.schedule(drainGraceMs, () => this.#end()));
      }),
    );
  }

  /** What `from` sends goes to `to`, whose slowness is passed back. */
  #carry(from: Duplex, to: Duplex): void {
    let isEnded = false;
    let isFinished = false;
    const finish = (): void => {
      if (isFinished) return;
      isFinished = true;
      this.#finished();
    };
    from.on('data', (chunk: Buffer) => {
      // Who has closed listens no more: the rest is dropped, and does not count as movement.
      if (!to.writable) return;
      this.#touch();
      if (to.write(chunk)) return;
      from.pause();
      to.once('drain', () => {
        this.#touch();
        from.resume();
      });
    });
    from.on('end', () => {
      isEnded = true;
      if (to.writable) to.end(finish);
      else finish();
    });
    // A connection that closes after its end may still be waited for: what it said is on its way to the other end.
    from.on('close', () => {
      if (!isEnded) this.#end();
    });
    to.on('close', () => from.resume());
    from.on('error', () => undefined);
    from.resume();
  }

  #finished(): void {
    this.#openDirections--;
    if (this.#openDirections === 0) this.#end();
    else this.#touch();
  }

  #touch(): void {
    if (this.#isOver) return;
    disarm(this.#deadline);
    const { idle, halfOpen } = this.#options;
    this.#deadline = (this.#openDirections === 2 ? idle : halfOpen).arm(() => this.#end());
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    disarm(this.#deadline);
    for (const undo of this.#undo) undo();
    this.#client.destroy();
    this.#backend.destroy();
    this.#resolve();
  }
}
