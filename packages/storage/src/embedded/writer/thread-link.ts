import type { MessagePort, Transferable } from 'node:worker_threads';
import type { Clock } from '@orch/machinery';
import { StoreError } from '../../store.ts';
import type { WriterPorts } from '../../thread-store.ts';
import type { Request } from './protocol.ts';
import { type Answer, type RequestEvents, SentRequests, type WriterLink } from './sent-requests.ts';

/** A port that the writer thread has not released after this time is closed. */
const CLOSE_MS = 10_000;

/** The way to the writer thread from a thread that has not opened the store. Without a port, requests fail with `unavailable`. */
export class ThreadLink implements WriterLink {
  readonly #clock: Clock;
  #port: MessagePort | undefined;
  #sent: SentRequests | undefined;

  constructor(ports: WriterPorts, clock: Clock, events: RequestEvents) {
    this.#clock = clock;
    ports.onPort((port) => this.#connect(port, events));
  }

  send(request: Request, transfer: Transferable[] = []): Promise<Answer> {
    if (this.#sent !== undefined) return this.#sent.send(request, transfer);
    return Promise.reject(new StoreError('unavailable', 'the writer thread is being restarted'));
  }

  async close(): Promise<void> {
    const port = this.#port;
    if (port === undefined || this.#sent === undefined) return;
    const cancel = this.#clock.schedule(CLOSE_MS, () => port.close());
    try {
      await this.#sent.sendLast({ type: 'leave' });
    } catch {
      // The writer thread has ended, which closes the port.
    } finally {
      cancel();
      port.close();
    }
  }

  #connect(port: MessagePort, events: RequestEvents): void {
    const sent = new SentRequests(port, events);
    port.on('close', () => {
      sent.fail(new Error('the port to the writer thread was closed'));
      if (this.#sent === sent) this.#sent = undefined;
    });
    this.#port = port;
    this.#sent = sent;
  }
}
