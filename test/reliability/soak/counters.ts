import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@orch/machinery';
import type { ApiClient, ApiResponse } from '@orch/testkit';

const PAUSE_MS = 400;
const TIMEOUT_MS = 15_000;
const COLLECTION = '/api/v1/namespaces/default/configmaps';

interface Counter {
  readonly metadata: { readonly resourceVersion: string };
  readonly data: { readonly count: string };
}

/**
 * Clients that count in config maps, each in one that nobody else writes: a count that is lower than an acknowledged one is a lost
 * write or an old read, and one that was never sent is a write that was executed twice.
 */
export class Counters {
  readonly violations: string[] = [];
  writes = 0;
  refused = 0;
  unknown = 0;
  readonly #clients: readonly ApiClient[];
  readonly #random: Random;
  #pausing: Promise<void> | undefined;
  #idle = 0;
  readonly #count: number;

  constructor(clients: readonly ApiClient[], random: Random, count: number) {
    this.#clients = clients;
    this.#random = random;
    this.#count = count;
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: this.#count }, (_, i) => this.#counter(`counter-${i}`, signal)));
  }

  /** Calls back while no write is under way. */
  async quietly(work: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pausing = promise;
    try {
      for (let waited = 0; this.#idle < this.#count && waited < 2 * TIMEOUT_MS; waited += 50) await sleep(50);
      await work();
    } finally {
      this.#pausing = undefined;
      resolve();
    }
  }

  async #counter(name: string, signal: AbortSignal): Promise<void> {
    let [acknowledged, sent] = [0, 0];
    while (!signal.aborted) {
      if (this.#pausing !== undefined) {
        this.#idle++;
        await this.#pausing;
        this.#idle--;
      }
      await sleep(this.#random.int(PAUSE_MS), undefined, { signal }).catch(() => undefined);
      const read = await this.#send('GET', `${COLLECTION}/${name}`);
      if (read?.status === 404 && acknowledged > 0)
        this.violations.push(`${name} is gone after ${acknowledged}`);
      if (read?.status !== 200 && read?.status !== 404) continue;
      const current = read.status === 200 ? (read.json as Counter) : undefined;
      const count = Number(current?.data.count ?? 0);
      if (count < acknowledged)
        this.violations.push(`${name} is ${count} after ${acknowledged} was acknowledged`);
      if (count > sent) this.violations.push(`${name} is ${count}, and ${sent} was the last that was sent`);
      sent = count + 1;
      const resourceVersion = current?.metadata.resourceVersion;
      const body = { metadata: { name, resourceVersion }, data: { count: String(sent) } };
      const written =
        current === undefined
          ? await this.#send('POST', COLLECTION, body)
          : await this.#send('PUT', `${COLLECTION}/${name}`, body);
      if (written !== undefined && written.status < 300) {
        acknowledged = sent;
        this.writes++;
      } else if (written === undefined || written.status === 504) this.unknown++;
      else this.refused++;
    }
  }

  /** The answer; undefined without one. */
  async #send(method: string, path: string, body?: object): Promise<ApiResponse | undefined> {
    const client = this.#clients[this.#random.int(this.#clients.length)];
    const options = { signal: AbortSignal.timeout(TIMEOUT_MS), ...(body === undefined ? {} : { body }) };
    return client?.send(method, path, options).catch(() => undefined);
  }
}
