import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:tls';
import { withoutBody } from './context.ts';
import type { RawTarget } from './raw-client.ts';

export type Protocol = 'h1' | 'h2';

const HTTP2_CONNECTIONS = 5;
/** Watches of a connection at most: servers allow 250 streams. */
const MOST_STREAMS = 200;
const DELIVERY_TIMEOUT_MS = 20_000;
const CLOSE_BRACE = 0x7d;

/**
 * Counts the events that open watches receive. An event ends with a brace and a line feed, a sequence that occurs
 * nowhere else in a stream of events, chunked or not; so packets may be split anywhere.
 */
export class Audience implements Disposable {
  #events = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #wake: (() => void) | undefined;
  #failure: Error | undefined;
  #disposed = false;
  readonly #closers: (() => void)[] = [];

  private constructor() {}

  /** Opens a watch for each path and resolves when all have responses. */
  static async open(target: RawTarget, protocol: Protocol, paths: readonly string[]): Promise<Audience> {
    const audience = new Audience();
    try {
      if (protocol === 'h1') for (const path of paths) await audience.#overTls(target, path);
      else await audience.#overHttp2(target, paths);
      return audience;
    } catch (error) {
      audience[Symbol.dispose]();
      throw error;
    }
  }

  /** Events received since the start. */
  get events(): number {
    return this.#events;
  }

  /** Resolves when `events` events have arrived in total; rejects after a timeout. */
  async until(events: number): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#events >= events) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`${this.#events} of ${events} events after ${DELIVERY_TIMEOUT_MS} ms`));
      }, DELIVERY_TIMEOUT_MS);
      this.#wanted = events;
      this.#wake = () => {
        clearTimeout(timer);
        if (this.#failure === undefined) resolve();
        else reject(this.#failure);
      };
    });
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const close of this.#closers) close();
  }

  /** Counts the events in the packets of one watch. */
  #counter(): (packet: Buffer) => void {
    let endedInBrace = false;
    return (packet) => {
      let found = endedInBrace && packet[0] === 0x0a ? 1 : 0;
      for (
        let at = packet.indexOf('}\n', 0, 'latin1');
        at !== -1;
        at = packet.indexOf('}\n', at + 2, 'latin1')
      )
        found += 1;
      endedInBrace = packet[packet.length - 1] === CLOSE_BRACE;
      this.#events += found;
      if (this.#events >= this.#wanted) this.#release();
    };
  }

  #release(): void {
    this.#wanted = Number.POSITIVE_INFINITY;
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #fail(error: Error): void {
    if (this.#disposed) return;
    this.#failure ??= error;
    this.#release();
  }

  #overTls(target: RawTarget, path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ ...target, servername: 'localhost', rejectUnauthorized: false }, () => {
        socket.write(withoutBody(path));
      });
      const count = this.#counter();
      socket.once('data', (head: Buffer) => {
        if (head.toString('latin1', 9, 12) !== '200') reject(new Error(head.toString('latin1', 0, 500)));
        else resolve();
      });
      socket.on('data', count);
      socket.on('error', (error) => {
        reject(error);
        this.#fail(error);
      });
      socket.on('close', () => this.#fail(new Error(`the watch of ${path} ended`)));
      this.#closers.push(() => socket.destroy());
    });
  }

  async #overHttp2(target: RawTarget, paths: readonly string[]): Promise<void> {
    const { host, port, ...credentials } = target;
    const sessions = Array.from(
      { length: Math.max(HTTP2_CONNECTIONS, Math.ceil(paths.length / MOST_STREAMS)) },
      () => connectHttp2(`https://${host}:${port}`, { ...credentials, rejectUnauthorized: false }),
    );
    for (const session of sessions) {
      session.on('error', (error) => this.#fail(error));
      this.#closers.push(() => session.destroy());
    }
    for (const [i, path] of paths.entries()) {
      const session = sessions[i % sessions.length];
      if (session === undefined) throw new RangeError('no session');
      await new Promise<void>((resolve, reject) => {
        const stream = session.request({ ':path': path });
        stream.on('error', reject);
        stream.on('response', (headers) => {
          if (headers[':status'] === 200) resolve();
          else reject(new Error(`watch: ${headers[':status']}`));
        });
        stream.on('data', this.#counter());
        stream.on('close', () => this.#fail(new Error(`the watch of ${path} ended`)));
      });
    }
  }
}
