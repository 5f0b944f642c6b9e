import { TransportError, type TransportRequest, type TransportResponse } from '@orch/client';
import { ProcessClock } from '@orch/client/testing';
import {
  type ControllerSettings,
  ControllerStates,
  defaultElection,
  ElectionState,
  runManager,
} from '@orch/controller-manager';
import type { Env, Names, Random } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { createMetrics, silentLogger } from '@orch/machinery/env';
import { type FakeClock, seededRandom } from '@orch/machinery/testing';
import { asTransport, type Replica } from './replica.ts';

export interface ManagerOptions {
  readonly clock: FakeClock;
  readonly random: Random;
  readonly names: Names;
  readonly settings: ControllerSettings;
  readonly replicas: readonly Replica[];
  /** Unique for every process. */
  readonly identity: string;
}

/**
 * Messages in flight take at most this long: less than the margin for clock skew between renew deadline and lease
 * duration.
 */
const LATENCY_MS = 400;

/** A process with controllers. It ends by itself when it loses its lease, as the program does. */
export class Manager {
  readonly clock: ProcessClock;
  readonly #options: ManagerOptions;
  readonly #stop = new AbortController();
  #isDead = false;
  /** Requests do not arrive, or the responses are lost. */
  link: 'up' | 'down' | 'deaf' = 'up';
  #run: Promise<void> | undefined;

  constructor(options: ManagerOptions) {
    this.#options = options;
    const { random } = options;
    this.clock = new ProcessClock(options.clock, 0.99 + random.int(21) / 1000, random.int(10 ** 9));
  }

  get isAlive(): boolean {
    return !this.#isDead;
  }

  start(): void {
    const { names, settings, identity, random } = this.#options;
    const env: Env = {
      clock: this.clock,
      random: seededRandom(random.int(2 ** 31)),
      log: silentLogger,
      metrics: createMetrics(),
    };
    const transport = asTransport((request, signal) => this.#send(request, signal));
    this.#run = runManager(
      {
        env,
        controllers: settings,
        election: defaultElection(names),
        transport,
        transportOf: () => transport,
        version: '0',
        host: identity,
        states: new ControllerStates(settings.selected.map(({ name }) => name)),
        electionState: new ElectionState(),
        whenLost: 'exit',
      },
      this.#stop.signal,
    ).then(
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

  resume(): void {
    if (this.#isDead) return;
    this.clock.resume((late) => late);
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
