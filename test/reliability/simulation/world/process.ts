import { type Transport, TransportError, type TransportRequest, type TransportResponse } from '@orch/client';
import { ProcessClock } from '@orch/client/testing';
import type { Env, Random } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { createMetrics, silentLogger } from '@orch/machinery/env';
import { type FakeClock, seededRandom, settle } from '@orch/machinery/testing';
import { asTransport, type Replica } from './replica.ts';

/** What a process runs. It ends when the signal aborts, or by itself. */
export type Program = (
  parts: { readonly env: Env; readonly identity: string; readonly transport: Transport },
  signal: AbortSignal,
) => Promise<void>;

export interface ProcessOptions {
  readonly clock: FakeClock;
  readonly random: Random;
  readonly replicas: readonly Replica[];
  /** Unique for every process. */
  readonly identity: string;
  readonly program: Program;
}

/**
 * Messages in flight take at most this long: less than the margin for clock skew between renew deadline and lease
 * duration.
 */
const LATENCY_MS = 400;

/** A program on a machine of its own. It may end by itself, as a manager does that loses its lease. */
export class Process {
  readonly clock: ProcessClock;
  readonly program: Program;
  readonly name: string;
  readonly #options: ProcessOptions;
  readonly #stop = new AbortController();
  #isDead = false;
  /** Requests do not arrive, or the responses are lost. */
  link: 'up' | 'down' | 'deaf' = 'up';
  #run: Promise<void> | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.program = options.program;
    this.name = options.identity;
    const { random } = options;
    this.clock = new ProcessClock(options.clock, 0.99 + random.int(21) / 1000, random.int(10 ** 9));
  }

  get isAlive(): boolean {
    return !this.#isDead;
  }

  start(): void {
    const { program, identity, random } = this.#options;
    const env: Env = {
      clock: this.clock,
      random: seededRandom(random.int(2 ** 31)),
      log: silentLogger,
      metrics: createMetrics(),
    };
    const transport = asTransport((request, signal) => this.#send(request, signal));
    this.#run = program({ env, identity, transport }, this.#stop.signal).then(
      () => this.#end(),
      () => this.#end(),
    );
  }

  /** As SIGTERM does. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'));
    await this.#run;
  }

  /** As SIGKILL does: all of its activity ends. */
  kill(): void {
    this.#end();
    this.clock.pause();
  }

  pause(): void {
    this.clock.pause();
  }

  /** What was late happens one after the other, and each has its effects before the next one. */
  resume(): void {
    if (this.#isDead) return;
    this.clock.resume((late) => {
      void this.#catchUp(late);
      return [];
    });
  }

  async #catchUp(late: readonly (() => void)[]): Promise<void> {
    for (const callback of late) {
      if (this.#isDead) return;
      callback();
      await settle();
    }
  }

  #end(): void {
    this.#isDead = true;
  }

  async #send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    const { replicas, random, clock } = this.#options;
    await this.#running();
    if (this.link === 'down') throw await this.#cutOff('notSent');
    const up = replicas.filter((replica) => replica.isUp);
    const replica = up[random.int(Math.max(1, up.length))];
    if (replica === undefined) throw await this.#cutOff('notSent');
    request.beforeWriting?.();
    if (random.int(4) === 0) await sleep(clock, random.int(LATENCY_MS), signal);
    const answer = await replica.send(request, signal);
    if (this.link !== 'up') throw await this.#cutOff('unknown');
    await this.#running();
    return { ...answer, body: this.#body(answer.body) };
  }

  async *#body(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      if (this.link !== 'up') throw new TransportError('unknown', 'the connection was cut');
      await this.#running();
      yield piece;
    }
  }

  /** A stopped process receives nothing now; a dead one never will. */
  #running(): Promise<void> {
    return new Promise((resolve) => this.clock.whenRunning(resolve));
  }

  async #cutOff(outcome: 'notSent' | 'unknown'): Promise<TransportError> {
    await sleep(this.clock, 200, new AbortController().signal);
    return new TransportError(outcome, 'the connection was cut');
  }
}
