import assert from 'node:assert/strict';
import { namesFor, type Random } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { ApiClient, type ApiResponse, type ClientConfig } from '@orch/testkit';
import { Follower, metaOf } from './follower.ts';

const GROUP = 'threads.example.com';
const WAIT_MS = 60_000;
/** More connections than threads: the kernel divides them. */
const CONNECTIONS = 6;
const OBJECTS = 10;
const apiVersion = namesFor('orch').apiVersion('apiextensions', 'v1');
const definitions = `/apis/${apiVersion}/customresourcedefinitions`;

const definition = (plural: string): object => ({
  apiVersion,
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural, singular: plural.slice(0, -1), kind: 'Probe', listKind: 'ProbeList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

interface Conditions {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const isEstablished = (json: unknown): boolean =>
  ((json as Conditions).status?.conditions ?? []).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );

/** A client that creates and deletes definitions. */
export class Definitions {
  readonly violations: string[] = [];
  /** Definitions that came and went. */
  cycles = 0;
  readonly #config: ClientConfig;
  readonly #random: Random;

  constructor(config: ClientConfig, random: Random) {
    this.#config = config;
    this.#random = random;
  }

  /** Creates a definition, uses it over several connections at once, and deletes it. */
  async cycle(): Promise<void> {
    const plural = `probes${this.#random.int(3)}s`;
    const clients = Array.from({ length: CONNECTIONS }, () => new ApiClient(this.#config, { maxSockets: 1 }));
    const path = `/apis/${GROUP}/v1/namespaces/default/${plural}`;
    const own = `${definitions}/${plural}.${GROUP}`;
    const [first] = clients;
    assert.ok(first);
    try {
      await poll('a definition', WAIT_MS, async () => {
        await first.post(definitions, definition(plural));
        return isEstablished((await first.get(own)).json);
      });
      await this.#expect(clients, path, 200);
      await this.#use(clients, path);
      await poll('no definition', WAIT_MS, async () => {
        await first.delete(own);
        return (await first.get(own)).status === 404;
      });
      await this.#expect(clients, path, 404);
      this.cycles++;
    } finally {
      for (const client of clients) client[Symbol.dispose]();
    }
  }

  /** Every connection gives the expected answer, or none because of a fault. */
  async #expect(clients: readonly ApiClient[], path: string, expected: number): Promise<void> {
    const answers = await Promise.all(
      clients.map((client) => client.get(path).catch((): ApiResponse | undefined => undefined)),
    );
    for (const answer of answers)
      if (answer !== undefined && answer.status < 500 && answer.status !== expected)
        this.violations.push(`${path} was answered with ${answer.status}, not ${expected}: ${answer.text}`);
  }

  /** Objects that all connections write, and watches over all of them. */
  async #use(clients: readonly ApiClient[], path: string): Promise<void> {
    const [first] = clients;
    assert.ok(first);
    const list = await poll('a list of custom objects', WAIT_MS, async () => {
      const answer = await first.get(path);
      return answer.status === 200 && answer;
    });
    const from = metaOf(list.json).resourceVersion;
    const stop = new AbortController();
    const followers = clients.map(() => new Follower({ config: this.#config, path, from }));
    const following = followers.map((follower) => follower.run(stop.signal));
    const names = Array.from({ length: OBJECTS }, (_, i) => `probe-${i}`);
    for (const [i, name] of [...names, 'marker'].entries())
      await poll(`${name} is created`, WAIT_MS, async () => {
        const body = { apiVersion: `${GROUP}/v1`, kind: 'Probe', metadata: { name } };
        const { status } = (await clients[i % CONNECTIONS]?.post(path, body)) ?? { status: 0 };
        return status === 201 || status === 409;
      });
    const last = ({ seen }: Follower): boolean => seen.at(-1)?.includes(' marker ') === true;
    await poll('the last custom object over all connections', WAIT_MS, () => followers.every(last));
    stop.abort();
    await Promise.all(following);
    for (const { seen, violations } of followers) {
      this.violations.push(...violations);
      assert.deepEqual(seen, followers[0]?.seen);
      assert.deepEqual(
        seen.map((event) => event.split(' ')[1]),
        [...names, 'marker'],
      );
    }
  }
}
