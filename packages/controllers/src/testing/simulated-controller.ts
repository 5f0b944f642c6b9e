import {
  type Controller,
  type ControllerContext,
  informerFactory,
  runControllers,
  TransportError,
  type TransportResponse,
} from '@orch/client';
import { type ModelApi, type ModelApiOptions, type TestClient, testClient } from '@orch/client/testing';
import { errors, type Random } from '@orch/machinery';
import { seededRandom, settle, type TestEnv } from '@orch/machinery/testing';

type Request = Parameters<NonNullable<ModelApiOptions['between']>>;

export interface SimulatedOptions {
  readonly seed: number;
  make(context: ControllerContext): Controller;
  /** Answers by path that the model has not, such as discovery. */
  readonly documents?: Readonly<Record<string, object>>;
  /** Called around every request that is carried out. */
  readonly around?: (
    request: Request[0],
    send: () => Promise<TransportResponse>,
  ) => Promise<TransportResponse>;
}

const answer = (value: object, status = 200): TransportResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: (async function* () {
    yield Buffer.from(JSON.stringify(value));
  })(),
});

/** A controller over a model server that fails it in every way that there is, until it is let be. All by one seed. */
export class SimulatedController {
  readonly random: Random;
  readonly #options: SimulatedOptions;
  readonly #test: TestClient;
  #areFaultsOn = true;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: SimulatedOptions) {
    this.#options = options;
    this.random = seededRandom(options.seed);
    this.#test = testClient({ seed: options.seed, between: (...request) => this.#between(...request) });
  }

  get api(): ModelApi {
    return this.#test.api;
  }

  get env(): TestEnv {
    return this.#test.env;
  }

  get names(): TestClient['client']['names'] {
    return this.#test.client.names;
  }

  /** One of several, or nothing where there is none. */
  anyOf<T>(all: readonly T[]): T | undefined {
    return all.length === 0 ? undefined : all[this.random.int(all.length)];
  }

  begin(): void {
    const { env, client } = this.#test;
    const informers = informerFactory({ client, env, freeze: true });
    const made = this.#options.make({ env, client, informers, events: { record: () => {} } });
    this.#stop = new AbortController();
    this.#running = runControllers(env, [made], this.#stop.signal, { informers });
  }

  async end(): Promise<void> {
    this.#stop.abort(new Error('the lease is lost'));
    await this.#running;
  }

  /** Something that goes wrong beside the requests: watches break, history goes, another leader begins. */
  async disturb(): Promise<void> {
    switch (this.random.int(4)) {
      case 0:
        for (const watch of [...this.api.watches]) watch.cut();
        return;
      case 1:
        return this.api.objects.compact();
      case 2:
        for (const watch of [...this.api.watches]) watch.end();
        return;
      default:
        if (this.random.int(3) > 0) return;
        await this.end();
        this.begin();
    }
  }

  /** Time passes, or nothing but what is ready now. */
  async pass(longestMs: number): Promise<void> {
    if (this.random.int(3) === 0) await this.env.clock.advanceAsync(this.random.int(longestMs));
    else await settle();
  }

  /** No faults from now on; answers when that has been so for this long. */
  async calm(ms: number): Promise<void> {
    this.#areFaultsOn = false;
    for (const watch of [...this.api.watches]) watch.cut();
    await this.env.clock.advanceAsync(ms);
  }

  async #between(...[request, , carryOut]: Request): Promise<TransportResponse> {
    const { documents = {}, around } = this.#options;
    const send = (): Promise<TransportResponse> =>
      around === undefined ? carryOut() : around(request, carryOut);
    const fault = this.#areFaultsOn ? this.random.int(20) : -1;
    if (fault === 0) throw new TransportError('notSent', 'no connection');
    if (fault === 1) return answer(errors.internal(undefined, 'a bad day').status, 500);
    if (fault === 2 && request.method !== 'GET') {
      await send();
      throw new TransportError('unknown', 'the answer was lost');
    }
    const document = documents[request.target.split('?', 1)[0] ?? ''];
    return document === undefined ? await send() : answer(document);
  }
}

/** Runs a scenario for many seeds, or for the one that the last argument names; says how to see a failure again. */
export async function forSeeds(
  count: number,
  file: string,
  run: (seed: number) => Promise<void>,
): Promise<void> {
  const only = /^--seed=(\d+)$/.exec(process.argv.at(-1) ?? '')?.[1];
  const seeds = only === undefined ? Array.from({ length: count }, (_, i) => i + 1) : [Number(only)];
  for (const seed of seeds) {
    try {
      await run(seed);
    } catch (error) {
      throw new Error(`seed ${seed}; again: scripts/node ${file} --seed=${seed}`, { cause: error });
    }
  }
}
