import {
  type Client,
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

type Between = Parameters<NonNullable<ModelApiOptions['between']>>;

export interface SimulationOptions {
  readonly seed: number;
  /** The controllers of one manager. */
  build(context: ControllerContext): readonly Controller[];
  /** Responses by path that the model server does not have, such as discovery. */
  readonly documents?: Readonly<Record<string, object>>;
  /** Called around every request that the server processes. */
  readonly around?: (
    request: Between[0],
    send: () => Promise<TransportResponse>,
  ) => Promise<TransportResponse>;
}

interface RunningManager {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/**
 * One or several independent managers over one model server, whose network fails in every way until `calm`. All random
 * choices come from one seed, and time is that of a fake clock.
 */
export class Simulation {
  readonly random: Random;
  readonly #options: SimulationOptions;
  readonly #test: TestClient;
  readonly #managers: RunningManager[] = [];
  #hasFaults = true;

  constructor(options: SimulationOptions) {
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

  get names(): Client['names'] {
    return this.#test.client.names;
  }

  /** A random item; undefined when there is none. */
  anyOf<T>(all: readonly T[]): T | undefined {
    return all.length === 0 ? undefined : all[this.random.int(all.length)];
  }

  /** Starts an additional manager. */
  begin(): void {
    const { env, client } = this.#test;
    const informers = informerFactory({ client, env, freeze: true });
    const controllers = this.#options.build({ env, client, informers, events: { record: () => {} } });
    const stop = new AbortController();
    this.#managers.push({ stop, ended: runControllers(env, controllers, { informers }, stop.signal) });
  }

  /** Stops the manager that was started first; false when none runs. */
  async end(): Promise<boolean> {
    const manager = this.#managers.shift();
    manager?.stop.abort(new Error('the lease is lost'));
    await manager?.ended;
    return manager !== undefined;
  }

  /** A random failure apart from requests: broken watches, compacted history, or another leader. */
  async disturb(): Promise<void> {
    switch (this.random.int(4)) {
      case 0:
        return this.cutWatches();
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

  cutWatches(): void {
    for (const watch of [...this.api.watches]) watch.cut();
  }

  /** Lets a random time below this one pass, or only the work that is ready. */
  async pass(maxMs = 5000): Promise<void> {
    if (this.random.int(3) === 0) await this.env.clock.advanceAsync(this.random.int(maxMs));
    else await settle();
  }

  /** Ends all faults, then lets this time pass. */
  async calm(ms: number): Promise<void> {
    this.#hasFaults = false;
    this.cutWatches();
    await this.env.clock.advanceAsync(ms);
  }

  async #between(...[request, , carryOut]: Between): Promise<TransportResponse> {
    const { documents = {}, around } = this.#options;
    const send = (): Promise<TransportResponse> =>
      around === undefined ? carryOut() : around(request, carryOut);
    const fault = this.#hasFaults ? this.random.int(20) : -1;
    if (fault === 0) throw new TransportError('notSent', 'no connection');
    if (fault === 1) return responseOf(errors.internal(undefined, 'injected failure').status, 500);
    if (fault === 2 && request.method !== 'GET') {
      await send();
      throw new TransportError('unknown', 'the response was lost');
    }
    const document = documents[request.target.split('?', 1)[0] ?? ''];
    return document === undefined ? await send() : responseOf(document, 200);
  }
}

const responseOf = (value: object, status: number): TransportResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: (async function* () {
    yield Buffer.from(JSON.stringify(value));
  })(),
});

/** Runs a scenario for many seeds, or for the one of `--seed=N`. A failure names its seed and how to repeat it. */
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
