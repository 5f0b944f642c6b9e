import type { Duplex } from 'node:stream';
import type { Clock } from '@orch/machinery';
import { TransportError } from '../transport/transport.ts';
import type { WebSocketConnection } from './web-socket.ts';

const channel = { data: 0, error: 1 } as const;
/** The first message of each channel repeats the number of the port. */
const PORT_BYTES = 2;
/**
 * Version 4 of the protocol cannot end one direction. When the local side has ended its own, the response may still follow: the
 * connection ends when nothing has arrived for this time.
 */
const IDLE_AFTER_END_MS = 5_000;

/**
 * Passes the bytes of a local connection to the one forwarded port of a WebSocket and back, until either ends. Rejects with a
 * `TransportError` when the pod refuses the connection.
 */
export async function forwardPort(
  socket: WebSocketConnection,
  local: Duplex,
  clock: Pick<Clock, 'schedule'>,
): Promise<void> {
  const idle = new IdleEnd(() => socket.destroy(), clock);
  sendAll(socket, local, idle);
  const greeted = new Set<number>();
  try {
    for await (const message of socket.messages()) {
      idle.onData();
      const [to = channel.error] = message;
      const data = message.subarray(1 + (greeted.has(to) ? 0 : PORT_BYTES));
      greeted.add(to);
      if (data.length === 0) continue;
      if (to === channel.error) throw new TransportError('unknown', data.toString('utf8'));
      if (to === channel.data && local.writable && !local.write(data)) await drained(local);
    }
  } catch (error) {
    // After the end of the local side nothing was lost.
    if (!local.destroyed && !local.readableEnded) throw error;
  } finally {
    idle.cancel();
    socket.close();
    local.end();
    // Data that the local side still sends have no receiver.
    local.resume();
  }
}

function sendAll(socket: WebSocketConnection, local: Duplex, idle: IdleEnd): void {
  local.on('error', () => {});
  local.on('data', (chunk: Buffer) => {
    local.pause();
    void socket.send(Buffer.concat([Buffer.from([channel.data]), chunk])).then(() => local.resume());
  });
  local.once('end', () => idle.start());
  local.once('close', () => socket.destroy());
}

/** Ends a connection that is idle after its local side has ended. */
class IdleEnd {
  readonly #end: () => void;
  readonly #clock: Pick<Clock, 'schedule'>;
  #cancel: (() => void) | undefined;

  constructor(end: () => void, clock: Pick<Clock, 'schedule'>) {
    this.#end = end;
    this.#clock = clock;
  }

  start(): void {
    this.#cancel = this.#clock.schedule(IDLE_AFTER_END_MS, this.#end);
  }

  onData(): void {
    if (this.#cancel === undefined) return;
    this.#cancel();
    this.start();
  }

  cancel(): void {
    this.#cancel?.();
  }
}

const drained = (stream: Duplex): Promise<void> =>
  new Promise((resolve) => {
    stream.once('drain', resolve).once('close', resolve);
  });
