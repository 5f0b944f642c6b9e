import assert from 'node:assert/strict';
import type { ApiClient, ApiResponse } from '@orch/testkit';
import type { PartitionCluster } from './cluster.ts';
import type { History, Outcome } from './history.ts';

/** Kinds with a list of names that only these clients change. */
export const accounts = '/api/v1/namespaces/default/serviceaccounts';
export const accountNames = ['a', 'b', 'c', 'd'] as const;

const WRITERS = 5;
const READERS = 4;
/** Stopped servers do not respond: clients continue with another one. */
const PATIENCE_MS = 8000;
/** Between two requests of a client: objects grow with every write. */
const PAUSE_MS = 40;

interface Account {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly imagePullSecrets?: readonly { readonly name: string }[];
}

export const itemsOf = (account: Account): readonly string[] =>
  (account.imagePullSecrets ?? []).map(({ name }) => name);
export const revisionOf = ({ metadata }: Pick<Account, 'metadata'>): number =>
  Number(metadata.resourceVersion);

/** Undefined when there was no response, or an incomplete one. */
async function answered(request: Promise<ApiResponse>): Promise<ApiResponse | undefined> {
  const answer = await request.catch(() => undefined);
  return answer?.json === undefined ? undefined : answer;
}

/** The meaning of a response for a write; a 503 means that nothing was written. */
function outcomeOf(answer: ApiResponse | undefined): Outcome {
  if (answer === undefined || answer.status === 504) return 'unknown';
  if (answer.status === 200) return 'acknowledged';
  assert.ok([409, 429, 503].includes(answer.status), `a write was answered ${answer.status}: ${answer.text}`);
  return 'refused';
}

/** Clients at work on the same few objects, through all servers. */
export class Clients {
  readonly #cluster: PartitionCluster;
  readonly #history: History;
  #ids = 0;

  constructor(cluster: PartitionCluster, history: History) {
    this.#cluster = cluster;
    this.#history = history;
  }

  async prepare(): Promise<void> {
    for (const name of accountNames) {
      // An empty list is not stored, and a JSON patch could not add to it.
      const id = `i${this.#ids++}`;
      const end = this.#history.adding(name, id);
      const imagePullSecrets = [{ name: id }];
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name }, imagePullSecrets };
      const { status, text, json } = await this.#any().post(accounts, account);
      assert.equal(status, 201, text);
      end('acknowledged', revisionOf(json as Account));
    }
  }

  /** Works until the signal aborts; resolves when all operations have ended, rejects with the first stale read. */
  async run(signal: AbortSignal): Promise<void> {
    const loop = async (act: () => Promise<void>): Promise<void> => {
      while (!signal.aborted) {
        await act();
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS + this.#cluster.random.int(PAUSE_MS)));
      }
    };
    await Promise.all([
      ...Array.from({ length: WRITERS }, (_, i) => loop(() => this.#write(i % 2 === 0))),
      ...Array.from({ length: READERS }, (_, i) => loop(() => (i === 0 ? this.#list() : this.#read()))),
    ]);
  }

  /** Writes a JSON patch, which is not idempotent, or an update of the object read before. */
  async #write(patches: boolean): Promise<void> {
    const name = this.#name();
    const client = this.#any();
    const id = `i${this.#ids++}`;
    if (patches) {
      const end = this.#history.adding(name, id);
      const body = [
        { op: 'test', path: '/metadata/name', value: name },
        { op: 'add', path: '/imagePullSecrets/-', value: { name: id } },
      ];
      await this.#send(client, 'PATCH', name, body).then((answer) => this.#end(end, answer));
      return;
    }
    const read = await answered(client.get(`${accounts}/${name}`, this.#patience()));
    if (read?.status !== 200) return;
    const current = read.json as Account;
    const next = { ...current, imagePullSecrets: [...(current.imagePullSecrets ?? []), { name: id }] };
    const end = this.#history.adding(name, id);
    await this.#send(client, 'PUT', name, next).then((answer) => this.#end(end, answer));
  }

  #send(client: ApiClient, method: string, name: string, body: object): Promise<ApiResponse | undefined> {
    const contentType = method === 'PATCH' ? 'application/json-patch+json' : 'application/json';
    return answered(client.send(method, `${accounts}/${name}`, { body, contentType, ...this.#patience() }));
  }

  #end(end: ReturnType<History['adding']>, answer: ApiResponse | undefined): void {
    const outcome = outcomeOf(answer);
    end(outcome, outcome === 'acknowledged' ? revisionOf(answer?.json as Account) : 0);
  }

  async #read(): Promise<void> {
    const name = this.#name();
    const floor = this.#history.floor(name);
    const answer = await answered(this.#any().get(`${accounts}/${name}`, this.#patience()));
    if (answer?.status !== 200) return;
    const account = answer.json as Account;
    this.#history.read(name, floor, { revision: revisionOf(account), items: itemsOf(account) });
  }

  async #list(): Promise<void> {
    const floors = accountNames.map((name) => [name, this.#history.floor(name)] as const);
    const floor = this.#history.newest;
    const answer = await answered(this.#any().get(accounts, this.#patience()));
    if (answer?.status !== 200) return;
    const list = answer.json as Pick<Account, 'metadata'> & { readonly items: readonly Account[] };
    this.#history.listed(floor, revisionOf(list));
    for (const [name, each] of floors) {
      const account = list.items.find(({ metadata }) => metadata.name === name);
      assert.ok(account !== undefined, `a list lacks ${name}`);
      this.#history.read(name, each, { revision: revisionOf(account), items: itemsOf(account) });
    }
  }

  #patience(): { readonly signal: AbortSignal } {
    return { signal: AbortSignal.timeout(PATIENCE_MS) };
  }

  #name(): string {
    return accountNames[this.#cluster.random.int(accountNames.length)] ?? accountNames[0];
  }

  #any(): ApiClient {
    const { replicas, random } = this.#cluster;
    const replica = replicas[random.int(replicas.length)];
    assert.ok(replica);
    return replica.client;
  }
}
