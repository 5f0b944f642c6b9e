import assert from 'node:assert/strict';
import type { ApiClient } from '@orch/testkit';
import { gearsPath, type Json, seqOf } from './gears.ts';

/** Follows the objects of one definition at one replica as an informer does: list, watch, resume, list after a 410. */
export class Follower {
  /** The last state of each object. */
  readonly objects = new Map<string, number>();
  readonly #client: ApiClient;
  readonly #path: string;
  #revision = '';
  watches = 0;

  get title(): string {
    return `the watcher of ${this.#path} at ${this.#revision}`;
  }

  lists = 0;

  constructor(client: ApiClient, definition: number) {
    this.#client = client;
    this.#path = gearsPath(definition);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#revision === '') await this.#list();
      try {
        await this.#watch(signal);
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
    }
  }

  async #list(): Promise<void> {
    this.lists += 1;
    const answer = await this.#client.get(this.#path);
    assert.equal(answer.status, 200, answer.text);
    const list = answer.json as Json;
    this.objects.clear();
    for (const item of list.items) this.objects.set(item.metadata.name, seqOf(item));
    this.#revision = list.metadata.resourceVersion;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    this.watches += 1;
    const path = `${this.#path}?watch=true&allowWatchBookmarks=true&resourceVersion=${this.#revision}`;
    for await (const { type, object } of this.#client.watch(path, signal)) {
      if (type === 'ERROR') {
        assert.equal(object['code'], 410, JSON.stringify(object));
        this.#revision = '';
        return;
      }
      this.#apply(type, object);
    }
  }

  #apply(type: string, object: Json): void {
    const { metadata } = object;
    assert.ok(
      Number(metadata.resourceVersion) >= Number(this.#revision),
      `${type} goes back to ${metadata.resourceVersion} from ${this.#revision}`,
    );
    this.#revision = metadata.resourceVersion;
    if (type === 'BOOKMARK') return;
    if (type === 'DELETED') this.objects.delete(metadata.name);
    else this.objects.set(metadata.name, seqOf(object));
  }
}
