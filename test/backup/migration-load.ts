import assert from 'node:assert/strict';
import type { LaunchedServer, WatchEvent } from '@orch/testkit';

export const maps = '/api/v1/namespaces/default/configmaps';
const NAMES = 40;
/** Of a writer between two writes: the servers have time for the migration. Every writer waits with a write while the stores are switched. */
const PAUSE_MS = 40;

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: { readonly value: string };
}

interface Written {
  readonly name: string;
  readonly resourceVersion: number;
  readonly value: string;
}

/** Clients that write to some servers, and one that watches the first one over one connection all the time. */
export class Load {
  readonly changes: WatchEvent[] = [];
  deletions = 0;
  readonly written: Written[] = [];
  readonly unexpected: string[] = [];
  readonly #servers: readonly [LaunchedServer, ...LaunchedServer[]];
  readonly #stop = new AbortController();
  readonly #leave = new AbortController();
  readonly #watching: Promise<void>;
  readonly #writing: readonly Promise<void>[];

  constructor(
    servers: readonly [LaunchedServer, ...LaunchedServer[]],
    { writers, from }: { writers: number; from: string },
  ) {
    this.#servers = servers;
    this.#watching = this.#watch(from);
    this.#writing = Array.from({ length: writers }, (_, writer) => this.#write(writer));
  }

  /** Waits until further writes, which have begun after the call, were acknowledged. */
  async goesOn(count = 50): Promise<void> {
    const goal = this.written.length + count;
    while (this.written.length < goal) {
      assert.deepEqual(this.unexpected, []);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Ends the writes, and the watch when it has all of them. */
  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#writing);
    while (this.changes.length < this.written.length + this.deletions) {
      assert.deepEqual(this.unexpected, []);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.#leave.abort();
    await this.#watching;
  }

  /** Each acknowledged write is in the watch, once and in order, which has never ended. */
  check(): void {
    assert.deepEqual(this.unexpected, []);
    const seen = new Map<number, Written>();
    let last = 0;
    let deletions = 0;
    for (const { type, object } of this.changes) {
      const { name = '', resourceVersion: text } = object.metadata;
      const resourceVersion = Number(text);
      assert.ok(resourceVersion > last, `${type} of ${name} at ${resourceVersion} came after ${last}`);
      last = resourceVersion;
      const { value } = object['data'] as { readonly value: string };
      if (type === 'DELETED') deletions++;
      else seen.set(last, { name, resourceVersion, value });
    }
    for (const written of this.written) assert.deepEqual(seen.get(written.resourceVersion), written);
    assert.deepEqual([seen.size, deletions], [this.written.length, this.deletions]);
  }

  async #watch(from: string): Promise<void> {
    const { signal } = this.#leave;
    try {
      const path = `${maps}?watch=true&resourceVersion=${from}`;
      for await (const change of this.#servers[0].client.watch(path, signal)) {
        if (change.type === 'ERROR') this.unexpected.push(JSON.stringify(change));
        else this.changes.push(change);
      }
      this.unexpected.push('the watch has ended');
    } catch (error) {
      if (!signal.aborted) this.unexpected.push(`the watch has failed: ${String(error)}`);
    }
  }

  /** Each writer has its own objects, so that every conflict is unexpected. */
  async #write(writer: number): Promise<void> {
    const { client } = this.#servers[writer % this.#servers.length] ?? this.#servers[0];
    const versions = new Map<string, string>();
    for (let n = 0; !this.#stop.signal.aborted; n++) {
      const name = `w${writer}-${n % NAMES}`;
      const value = `${n}`;
      const resourceVersion = versions.get(name);
      const object = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, resourceVersion },
        data: { value },
      };
      const isDeleted = resourceVersion !== undefined && n % 7 === 0;
      const { status, json, text } =
        resourceVersion === undefined
          ? await client.post(maps, object)
          : isDeleted
            ? await client.delete(`${maps}/${name}`, { body: { preconditions: { resourceVersion } } })
            : await client.put(`${maps}/${name}`, object);
      if (status !== 200 && status !== 201) {
        this.unexpected.push(`a write of ${name} failed with ${status}: ${text}`);
        return;
      }
      if (isDeleted) {
        versions.delete(name);
        this.deletions++;
      } else {
        const { metadata } = json as ConfigMap;
        versions.set(name, metadata.resourceVersion);
        this.written.push({ name, resourceVersion: Number(metadata.resourceVersion), value });
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
