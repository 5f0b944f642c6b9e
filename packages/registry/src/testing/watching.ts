import { settle } from '@orch/machinery/testing';
import { type ApiRequest, type BodySink, chunkPayload, type Reply } from '@orch/request';
import { readAnswer } from './answers.ts';

/** A watch in progress: its events so far, parsed. */
export interface Watching {
  // biome-ignore lint/suspicious/noExplicitAny: events of any form.
  readonly events: any[];
  /** The received chunks of a watch that is not JSON; such a watch has no `events`. */
  readonly frames: Buffer[];
  readonly status: number;
  readonly ended: Promise<void>;
  /** Until at least `count` events or frames have come, or the watch has ended. */
  until(count: number): Promise<void>;
  stop(): void;
  drain(): void;
}

/** The bytes that a stream has sent so far. */
class Received implements BodySink {
  readonly events: unknown[] = [];
  readonly frames: Buffer[] = [];
  readonly #isJson: boolean;

  constructor(contentType: unknown) {
    this.#isJson = String(contentType).startsWith('application/json');
  }

  get count(): number {
    return (this.#isJson ? this.events : this.frames).length;
  }

  write(bytes: Buffer): boolean {
    if (!this.#isJson) this.frames.push(Buffer.from(bytes));
    else for (const line of bytes.toString().split('\n')) if (line !== '') this.events.push(JSON.parse(line));
    return true;
  }

  writeFramed(frames: readonly Buffer[]): boolean {
    return frames.map((frame) => this.write(chunkPayload(frame))).every(Boolean);
  }

  async drained(): Promise<void> {}
}

/** Runs the watch that answers a request; an error answer is an event. */
export async function watchingOf(reply: Reply, request: ApiRequest): Promise<Watching> {
  if (reply.kind !== 'stream') return refusedWatch(reply);
  const draining = new AbortController();
  const received = new Received(reply.headers['Content-Type']);
  let over = false;
  const ended = reply.run(received, { signal: request.signal, draining: draining.signal }).finally(() => {
    over = true;
  });
  return {
    events: received.events,
    frames: received.frames,
    status: reply.status,
    ended,
    async until(count) {
      for (let turn = 0; turn < 200 && received.count < count && !over; turn++) await settle();
    },
    stop: () => request.cancel(new Error('stopped')),
    drain: () => draining.abort(),
  };
}

async function refusedWatch(reply: Reply): Promise<Watching> {
  const answered = await readAnswer(reply);
  return {
    events: [answered.json],
    frames: [],
    status: answered.status,
    ended: Promise.resolve(),
    until: async () => {},
    stop() {},
    drain() {},
  };
}
