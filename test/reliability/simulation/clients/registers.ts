import assert from 'node:assert/strict';
import { builtinResources, createClient, type ResourceClient, type Transport } from '@orch/client';
import { ApiError, type ApiObject, type Env, type Names } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { seededRandom } from '@orch/machinery/testing';
import { asTransport, type Replica } from '../world/replica.ts';
import { crowdAgent } from '../world/seats.ts';
import { type Operation, RegisterHistory, valueIn } from './register-history.ts';

const KEYS = 2;
const CALLS_EACH = 4;
const MAX_PAUSE_MS = 400;
/** An idle server needs no time here. */
const MAX_ANSWER_MS = 500;
/** Codes that say that nothing was written. */
const REFUSALS: ReadonlySet<number> = new Set([404, 409, 429, 503]);

/** Clients that read and write the same few config maps through all servers, and what they saw. */
export class Registers {
  readonly history = new RegisterHistory();
  readonly #env: Env;
  readonly #maps: ResourceClient<ApiObject>;
  readonly #names: Names;
  readonly #clients: number;
  #values = 0;

  constructor(env: Env, names: Names, options: { readonly transport: Transport; readonly clients: number }) {
    this.#env = env;
    this.#clients = options.clients;
    const { transport } = options;
    const client = createClient({ transport, names, env, userAgent: crowdAgent });
    this.#names = names;
    this.#maps = client.resource<ApiObject>(builtinResources(names).core.v1.configmaps, 'default');
  }

  /** All clients make a few calls. Resolves when all have answers, or know that there will be none. */
  async work(choice: number): Promise<void> {
    await Promise.all(Array.from({ length: this.#clients }, (_, i) => this.#client(i, choice + i)));
  }

  /** Checks that each server answers several clients at once without a wait for seats: all of them were returned. */
  async checkSeats(replicas: readonly Replica[]): Promise<void> {
    const { configmaps } = builtinResources(this.#names).core.v1;
    for (const replica of replicas) {
      const transport = asTransport((...call) => replica.send(...call));
      const parts = { transport, names: this.#names, env: this.#env, userAgent: crowdAgent };
      const maps = createClient(parts).resource<ApiObject>(configmaps, 'default');
      const began = this.#env.clock.monotonic();
      await Promise.all(Array.from({ length: 3 }, () => maps.list()));
      const waitedMs = this.#env.clock.monotonic() - began;
      assert.ok(waitedMs < MAX_ANSWER_MS, `${replica.name} is idle and answers after ${waitedMs} ms`);
    }
  }

  async #client(client: number, choice: number): Promise<void> {
    const random = seededRandom(choice);
    let known: ApiObject | undefined;
    for (let i = 0; i < CALLS_EACH; i++) {
      const name = `register-${random.int(KEYS)}`;
      const pause = random.int(3) === 0 ? random.int(MAX_PAUSE_MS) : 0;
      if (pause > 0) await sleep(this.#env.clock, pause, new AbortController().signal);
      if (known?.metadata.name !== name || random.int(3) === 0) {
        known = await this.#call(client, 'get', { metadata: { name } });
        if (known !== undefined && random.int(3) === 0) continue;
      }
      if (known === undefined) known = await this.#call(client, 'create', { metadata: { name } });
      else known = await this.#call(client, random.int(5) === 0 ? 'delete' : 'update', known);
    }
  }

  /** Makes a call that is based on an object, and returns the object that the client then knows. */
  async #call(client: number, call: Operation['call'], base: ApiObject): Promise<ApiObject | undefined> {
    const { name = '', resourceVersion = '0' } = base.metadata;
    const value = call === 'create' || call === 'update' ? `v${this.#values++}` : '';
    const object = value === '' ? base : { ...base, data: { value } };
    const begun = {
      client,
      key: `default/${name}`,
      call,
      value,
      expected: Number(resourceVersion),
      known: valueIn(base),
      start: this.history.next(),
    };
    const end = (outcome: Operation['outcome'], answer?: ApiObject): void => {
      const revision = Number(answer?.metadata.resourceVersion ?? 0);
      const read = valueIn(answer);
      this.history.operations.push({ ...begun, end: this.history.next(), outcome, revision, read });
    };
    try {
      const answer = await this.#sent(call, object);
      end('done', call === 'delete' ? undefined : answer);
      return call === 'delete' ? undefined : answer;
    } catch (error) {
      end(outcomeOf(error, call));
      return undefined;
    }
  }

  async #sent(call: Operation['call'], object: ApiObject): Promise<ApiObject | undefined> {
    const { name = '', resourceVersion = '' } = object.metadata;
    if (call === 'get') return this.#maps.get(name);
    if (call === 'create') return this.#maps.create(object);
    if (call === 'update') return this.#maps.update(object);
    await this.#maps.delete(name, { preconditions: { resourceVersion } });
    return undefined;
  }
}

function outcomeOf(error: unknown, call: Operation['call']): Operation['outcome'] {
  if (!(error instanceof ApiError)) return 'unknown';
  const { code = 500 } = error.status;
  if (code === 404 && call === 'get') return 'absent';
  return REFUSALS.has(code) ? 'refused' : 'unknown';
}
