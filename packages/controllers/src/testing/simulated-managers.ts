import {
  type Controller,
  type ControllerContext,
  controllerLoop,
  informerFactory,
  runLoops,
  TransportError,
  type TransportResponse,
} from '@orch/client';
import { type ModelApiOptions, type TestClient, testClient } from '@orch/client/testing';
import { errors, type Random } from '@orch/machinery';
import { seededRandom, settle } from '@orch/machinery/testing';

type Between = NonNullable<ModelApiOptions['between']>;

/** Everything that is there to work with, of one manager. */
export type BuildControllers = (context: ControllerContext) => readonly Controller[];

/**
 * Managers that know nothing of each other, over one model server and a network that fails in every way: all by one seed.
 * Time is that of the model's clock.
 */
export class SimulatedManagers {
  readonly random: Random;
  readonly test: TestClient;
  readonly #build: BuildControllers;
  readonly #running: { readonly stop: AbortController; readonly end: Promise<void> }[] = [];
  #hasFaults = true;

  constructor(seed: number, build: BuildControllers) {
    this.random = seededRandom(seed);
    this.#build = build;
    this.test = testClient({ seed, between: (...request) => this.#between(...request) });
  }

  /** Starts one more. */
  begin(): void {
    const { env, client } = this.test;
    const informers = informerFactory({ client, env, freeze: true });
    const context = { env, client, informers, events: { record: () => {} } };
    const loops = this.#build(context).map((one) => controllerLoop(env, one));
    const stop = new AbortController();
    this.#running.push({ stop, end: runLoops(loops, stop.signal, informers) });
  }

  /** Ends the one that has run for longest; false when there is none. */
  async end(): Promise<boolean> {
    const manager = this.#running.shift();
    manager?.stop.abort(new Error('killed'));
    await manager?.end;
    return manager !== undefined;
  }

  /** A little time passes, or none. */
  async pass(mostMs = 5000): Promise<void> {
    if (this.random.int(3) === 0) await this.test.env.clock.advanceAsync(this.random.int(mostMs));
    else await settle();
  }

  cutWatches(): void {
    for (const watch of [...this.test.api.watches]) watch.cut();
  }

  /** No faults from now on, and time for everything to come right. */
  async calm(ms: number): Promise<void> {
    this.#hasFaults = false;
    this.cutWatches();
    await this.test.env.clock.advanceAsync(ms);
  }

  async #between(...[request, , send]: Parameters<Between>): Promise<TransportResponse> {
    const fault = this.#hasFaults ? this.random.int(20) : -1;
    if (fault === 0) throw new TransportError('notSent', 'no connection');
    if (fault === 1) return answer(errors.internal(undefined, 'a bad day').status, 500);
    if (fault === 2 && request.method !== 'GET') {
      await send();
      throw new TransportError('unknown', 'the answer was lost');
    }
    return await send();
  }
}

const answer = (value: object, status: number): TransportResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: (async function* () {
    yield Buffer.from(JSON.stringify(value));
  })(),
});
