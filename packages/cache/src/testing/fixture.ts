import assert from 'node:assert/strict';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { seededRandom, settle, type TestEnv, testEnv } from '@orch/machinery/testing';
import { ModelStore, type Revision } from '@orch/storage';
import { ObjectFeed } from '../feed/object-feed.ts';
import type { WatchCacheOptions } from '../options.ts';
import type {
  CachedObject,
  CachedResource,
  Ingested,
  ObjectFilter,
  ResourceCache,
  WatchCache,
} from '../types.ts';
import { createWatchCache } from '../watch-cache.ts';
import { UnrulyStore } from './unruly-store.ts';

export interface Pod {
  metadata: { name: string; namespace: string; labels?: Record<string, string>; resourceVersion?: string };
  spec: { nodeName: string; padding?: string };
}

export const PREFIX = '/registry/';
const FIELDS = ['metadata.name', 'metadata.namespace', 'spec.nodeName'];

export function podsResource(name = 'pods'): CachedResource {
  return {
    name,
    prefix: `${PREFIX}${name}/`,
    selectableFields: FIELDS,
    indexedFields: ['spec.nodeName'],
    ingest(value: Buffer, rev: Revision): Ingested {
      const pod = JSON.parse(value.toString()) as Pod;
      pod.metadata.resourceVersion = String(rev);
      const { name: podName, namespace, labels } = pod.metadata;
      return {
        json: Buffer.from(JSON.stringify(pod)),
        labels: labels ?? {},
        fields: [podName, namespace, pod.spec.nodeName],
      };
    },
  };
}

/** The values of all selectable fields of an object. */
export const fieldsOf = (
  { resource }: Pick<ResourceCache, 'resource'>,
  object: Pick<CachedObject, 'field'>,
): readonly string[] => resource.selectableFields.map((_, position) => object.field(position));

export const everything: ObjectFilter = {
  fieldEquals: [],
  everything: true,
  matchesLabels: () => true,
  matchesFields: () => true,
};

/** Labels with `app=value`. */
export function appFilter(value: string): ObjectFilter {
  return {
    fieldEquals: [],
    labelEquals: [{ label: 'app', value }],
    everything: false,
    matchesLabels: (l) => l['app'] === value,
    matchesFields: () => true,
  };
}

export function fieldFilter(field: string, value: string): ObjectFilter {
  const position = FIELDS.indexOf(field);
  return {
    fieldEquals: [{ field, value }],
    everything: false,
    matchesLabels: () => true,
    matchesFields: (object) => object.field(position) === value,
  };
}

/** A store and a running cache of it, with a fake clock. Disposal stops the cache. */
export class Fixture implements AsyncDisposable {
  readonly env: TestEnv;
  readonly model: ModelStore;
  readonly store: UnrulyStore;
  readonly cache: WatchCache;
  readonly signal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #run: Promise<void>;
  readonly #owned: boolean;
  readonly #feed: ObjectFeed | undefined;

  private constructor(options: FixtureOptions) {
    this.env = testEnv({ seed: options.seed ?? 1 });
    this.#owned = options.model === undefined;
    this.#feed = options.feeds === true ? new ObjectFeed(options.maxCost) : undefined;
    this.model = options.model ?? new ModelStore({ clock: this.env.clock });
    this.store = new UnrulyStore(this.model, seededRandom(options.seed ?? 1));
    this.signal = this.#stop.signal;
    const { env, store } = this;
    const resources = (options.resources ?? ['pods', 'leases']).map((one) =>
      typeof one === 'string' ? podsResource(one) : one,
    );
    this.cache = createWatchCache({
      store,
      prefix: PREFIX,
      resources,
      env,
      ...(options.follows === undefined ? {} : { followed: options.follows.follower() }),
      ...(this.#feed === undefined ? {} : { feed: this.#feed }),
      options: { digestMs: 0, ...options.cache },
    });
    this.#run = this.cache.run(this.signal);
  }

  /** The end of a port at which another cache follows this one. */
  follower(): MessagePort {
    assert.ok(this.#feed);
    const { port1, port2 } = new MessageChannel();
    this.#feed.connect(port1);
    return port2;
  }

  static async open(options: FixtureOptions = {}): Promise<Fixture> {
    const fixture = new Fixture(options);
    if (options.wait !== false) await fixture.cache.ready(fixture.signal);
    return fixture;
  }

  get pods(): ResourceCache {
    return this.resource('pods');
  }

  resource(name: string): ResourceCache {
    const resource = this.cache.resource(name);
    assert.ok(resource !== undefined);
    return resource;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the test is over'));
    this.store.release();
    await this.#run;
    if (this.#owned) await this.model.close();
  }

  /** Waits until the cache has reached the revision of the store. */
  async synced(): Promise<void> {
    const rev = await this.model.currentRevision(this.signal);
    for (let i = 0; i < 1000 && this.cache.revision() < rev; i++) await settle();
    assert.ok(
      this.cache.revision() >= rev,
      `the cache stays at ${this.cache.revision()}, the store is at ${rev}`,
    );
    // Watchers receive events in the tick after their arrival.
    await settle();
    await settle();
  }

  /** Advances the fake clock in steps of a second, and runs the resulting work. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1000) await this.env.clock.advanceAsync(Math.min(left, 1000));
    await settle();
  }
}

export interface FixtureOptions {
  readonly seed?: number;
  /** A store shared with another fixture. */
  readonly model?: ModelStore;
  readonly resources?: readonly (string | CachedResource)[];
  readonly cache?: Partial<WatchCacheOptions>;
  /** Others may follow the cache; `maxCost` is the cost that they may be behind. */
  readonly feeds?: boolean;
  readonly maxCost?: number;
  /** The cache follows the one of another fixture. */
  readonly follows?: Fixture;
  /** False: do not wait until the cache is loaded. */
  readonly wait?: boolean;
}
