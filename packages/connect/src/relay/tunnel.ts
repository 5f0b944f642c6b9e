import type { Duplex } from 'node:stream';
import type { Clock } from '@orch/machinery';
import { type Deadline, type DeadlineQueue, disarm, onAbort } from '@orch/machinery/concurrency';

export interface TunnelOptions {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Aborts when the server stops: the tunnel has `drainGraceMs` left. */
  readonly draining: AbortSignal;
  readonly clock: Clock;
  readonly drainGraceMs: number;
  /** Idle timeout while both ends are open. */
  readonly idle: DeadlineQueue;
  /** Idle timeout when one end has sent FIN. */
  readonly halfOpen: DeadlineQueue;
}

/**
 * Copies bytes between two connections in both directions until both have sent FIN, one fails, or the tunnel is idle for
 * too long. Buffers nothing besides the two sockets: an end that does not read stops the other. FIN is passed on
 * and leaves the other direction open. Both are closed when it resolves.
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

  /** Copies from `from` to `to` with back-pressure. */
  #carry(from: Duplex, to: Duplex): void {
    let isEnded = false;
    let isFinished = false;
    const finish = (): void => {
      if (isFinished) return;
      isFinished = true;
      this.#finished();
    };
    from.on('data', (chunk: Buffer) => {
      // `to` is closed: the rest is dropped, and does not count as activity.
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
    // After the end of one connection, its last bytes may still be on their way to the other.
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
