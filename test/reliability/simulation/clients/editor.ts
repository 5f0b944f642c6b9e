import {
  builtinResources,
  type Client,
  createClient,
  type ResourceClient,
  type Transport,
} from '@orch/client';
import { ApiError, type ApiObject, type Env, type Names } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { seededRandom } from '@orch/machinery/testing';

const OBJECTS = 5;
const never = new AbortController().signal;

/** A user who changes a few config maps that controllers and informers follow. */
export class Editor {
  readonly #env: Env;
  readonly #names: Names;
  readonly #client: Client;
  #isReady: Promise<unknown> | undefined;

  constructor(env: Env, names: Names, transport: Transport) {
    this.#env = env;
    this.#names = names;
    this.#client = createClient({ transport, names, env, userAgent: 'editor/1' });
  }

  /** A few changes; each is repeated until it is acknowledged. */
  async change(choice: number): Promise<void> {
    const random = seededRandom(choice);
    const all = builtinResources(this.#names).core.v1;
    this.#isReady ??= this.#persist(() =>
      this.#client.resource(all.namespaces).create({ metadata: { name: 'work' } }),
    );
    await this.#isReady;
    const objects = this.#client.resource<ApiObject>(all.configmaps, 'work');
    for (let i = 1 + random.int(3); i > 0; i--) await this.#changeOne(objects, random.int(2 ** 31));
  }

  async #changeOne(objects: ResourceClient<ApiObject>, choice: number): Promise<void> {
    const random = seededRandom(choice);
    const name = `object-${random.int(OBJECTS)}`;
    const labels = { app: random.int(3) === 0 ? 'b' : 'a' };
    const data = { in: `value-${choice}` };
    if (random.int(5) === 0) return this.#persist(() => objects.delete(name));
    await this.#persist(async () => {
      try {
        await objects.patch.merge(name, { metadata: { labels }, data });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status.code !== 404) throw error;
        await objects.create({ metadata: { name, labels }, data });
      }
    });
  }

  async #persist(attempt: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await attempt();
        return;
      } catch (error) {
        // An earlier attempt whose answer was lost has done it.
        if (error instanceof ApiError && [404, 409].includes(error.status.code)) return;
        if (error instanceof ApiError && [400, 403, 422].includes(error.status.code)) throw error;
        await sleep(this.#env.clock, 1000, never);
      }
    }
  }
}
