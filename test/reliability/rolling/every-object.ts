import assert from 'node:assert/strict';
import { type Names, namesFor } from '@orch/machinery';
import { ApiClient, type ClientConfig } from '@orch/testkit';
import { type Manifest, readManifests } from '../../lifecycle/manifests.ts';

const ROUNDS = 3;

interface Discovered {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

/** An object of each kind that clients can create, in each served version, and the response of a server for it. */
export class EveryObject implements Disposable {
  readonly #client: ApiClient;
  readonly #names: Names = namesFor('kubernetes');
  readonly #texts = new Map<string, string>();
  /** Kinds whose objects were not accepted, with the answer. */
  readonly refused: string[] = [];

  constructor(config: ClientConfig) {
    this.#client = new ApiClient(config);
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  get count(): number {
    return this.#texts.size;
  }

  /** Creates the objects of the manifests; those that need others, such as the account of a pod, in a later round. */
  async create(): Promise<void> {
    await this.#client.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    let remaining = readManifests(this.#names);
    for (let round = 0; round < ROUNDS && remaining.length > 0; round += 1) {
      this.refused.length = 0;
      const refused = [];
      for (const manifest of remaining) if (!(await this.#createOne(manifest))) refused.push(manifest);
      remaining = refused;
    }
  }

  /** False when the server refuses the object. */
  async #createOne({ path, object }: Manifest): Promise<boolean> {
    const collection = await this.#collectionOf(object);
    if (collection === undefined) return true;
    const { status, text, json } = await this.#client.post(collection, object);
    if (status === 201) {
      const { metadata } = json as { metadata: { name?: string } };
      if (metadata.name !== undefined) this.#texts.set(`${collection}/${metadata.name}`, '');
    }
    const isMade = status < 300 || status === 409;
    if (!isMade) this.refused.push(`${path}: ${status} ${text}`);
    return isMade;
  }

  /** Reads all objects, for later comparisons. */
  async read(): Promise<void> {
    for (const path of this.#texts.keys()) {
      const { status, text } = await this.#client.get(path);
      // Requests, such as those for tokens and reviews, are answered and not stored.
      if (status === 404 || status === 405) this.#texts.delete(path);
      else this.#texts.set(path, text);
    }
  }

  /** All objects are byte by byte as they were read, through any replica. */
  async compare(): Promise<void> {
    for (const [path, text] of this.#texts) {
      const answer = await this.#client.get(path, { headers: { connection: 'close' } });
      assert.equal(answer.text, text, path);
    }
  }

  async #collectionOf({
    apiVersion,
    kind,
  }: {
    readonly apiVersion: string;
    readonly kind: string;
  }): Promise<string | undefined> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { status, json } = await this.#client.get(root);
    if (status !== 200) return undefined;
    const { resources } = json as Discovered;
    const found = resources.find(
      (each) => each.kind === kind && !each.name.includes('/') && each.verbs.includes('create'),
    );
    if (found === undefined) return undefined;
    return found.namespaced ? `${root}/namespaces/default/${found.name}` : `${root}/${found.name}`;
  }
}
