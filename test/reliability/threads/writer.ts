import type { Random } from '@orch/machinery';
import { ApiClient, type ApiResponse, type ClientConfig } from '@orch/testkit';
import { metaOf } from './follower.ts';

export const COLLECTION = '/api/v1/namespaces/default/configmaps';
const NAMES = 20;
const LONGEST_TEXT = 4000;
/** A write in this number goes over a new connection. */
const ROLLED_ONE_IN = 40;
/** A write in this number is read over a new connection. */
const READ_ONE_IN = 10;
const DEADLINE_MS = 60_000;

type Act = 'put' | 'patch' | 'delete';
const acts: readonly Act[] = ['put', 'put', 'patch', 'patch', 'patch', 'delete'];

/** A client that creates, changes and deletes config maps that nobody else writes. */
export class Writer {
  /** Revisions of acknowledged writes since `forget`. */
  readonly acknowledged: string[] = [];
  /** Acknowledged deletions since `forget`, by name. */
  readonly deleted = new Map<string, number>();
  readonly violations: string[] = [];
  writes = 0;
  readonly #prefix: string;
  readonly #random: Random;
  readonly #config: ClientConfig;
  #client: ApiClient;

  constructor(prefix: string, random: Random, config: ClientConfig) {
    this.#prefix = prefix;
    this.#random = random;
    this.#config = config;
    this.#client = new ApiClient(config, { maxSockets: 1 });
  }

  /** Writes until the signal aborts; requests fail while the network or the store does. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#random.int(ROLLED_ONE_IN) === 0) this.#roll();
      const name = `${this.#prefix}-${this.#random.int(NAMES)}`;
      const act = acts[this.#random.int(acts.length)] ?? 'put';
      const answer = await this.#write(act, name).catch(() => undefined);
      if (answer !== undefined && answer.status < 300) await this.#note(name, act, answer);
    }
  }

  forget(): void {
    this.acknowledged.length = 0;
    this.deleted.clear();
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  async #write(act: Act, name: string): Promise<ApiResponse> {
    const path = `${COLLECTION}/${name}`;
    const signal = AbortSignal.timeout(DEADLINE_MS);
    if (act === 'delete') return await this.#client.delete(path, { signal });
    const data = { text: `${this.writes} `.repeat(1 + this.#random.int(LONGEST_TEXT / 8)) };
    if (act === 'patch') {
      const contentType = 'application/merge-patch+json';
      return await this.#client.send('PATCH', path, { body: { data }, contentType, signal });
    }
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
    const answer = await this.#client.put(path, body, { signal });
    return answer.status === 404 ? await this.#client.post(COLLECTION, body, { signal }) : answer;
  }

  async #note(name: string, act: Act, { json }: ApiResponse): Promise<void> {
    this.writes++;
    const revision = act === 'delete' ? undefined : metaOf(json).resourceVersion;
    if (revision === undefined) this.deleted.set(name, (this.deleted.get(name) ?? 0) + 1);
    else this.acknowledged.push(`${name} ${revision}`);
    if (this.#random.int(READ_ONE_IN) === 0) await this.#read(name, revision).catch(() => undefined);
  }

  /** Reads the acknowledged state over a new connection: nobody else has written the object since. */
  async #read(name: string, revision: string | undefined): Promise<void> {
    using client = new ApiClient(this.#config, { maxSockets: 1 });
    const { status, json } = await client.get(`${COLLECTION}/${name}`, {
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    if (status !== 200 && status !== 404) return;
    const found = status === 404 ? undefined : metaOf(json).resourceVersion;
    if (found !== revision)
      this.violations.push(`${name} was read at ${found} after its write at ${revision}`);
  }

  #roll(): void {
    this.#client[Symbol.dispose]();
    this.#client = new ApiClient(this.#config, { maxSockets: 1 });
  }
}
