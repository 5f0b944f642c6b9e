import { anySignal } from '@orch/machinery/concurrency';
import type { Revision, StoreRoute } from '@orch/storage';
import type { CachedResource, CacheFigures, DigestResult, ResourceCache, WatchCache } from './types.ts';

/** The cache of a store, and the prefixes of its resources. */
export interface JoinedPart<Cache = WatchCache> {
  readonly prefixes: readonly string[];
  readonly cache: Cache;
}

/** The route of the keys of a resource; undefined for the main store. */
export const routeOf = <Route extends Pick<StoreRoute, 'prefixes'>>(
  routes: readonly Route[],
  prefix: string,
): Route | undefined => routes.find(({ prefixes }) => prefixes.some((each) => prefix.startsWith(each)));

/** The caches of several stores, each with its own watch and its own revisions. Its revision is that of the main store. */
export class JoinedWatchCache implements WatchCache {
  readonly #main: WatchCache;
  readonly #parts: readonly JoinedPart[];

  constructor(main: WatchCache, parts: readonly JoinedPart[]) {
    this.#main = main;
    this.#parts = parts;
  }

  resource(nameOrPrefix: string): ResourceCache | undefined {
    for (const cache of this.#all()) {
      const found = cache.resource(nameOrPrefix);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  addResource(resource: CachedResource, signal: AbortSignal): Promise<ResourceCache> {
    const { cache } = routeOf(this.#parts, resource.prefix) ?? { cache: this.#main };
    return cache.addResource(resource, signal);
  }

  removeResource(nameOrPrefix: string): void {
    for (const cache of this.#all()) cache.removeResource(nameOrPrefix);
  }

  /** When one cache ends with an error, the others end too. */
  async run(signal: AbortSignal): Promise<void> {
    using scope = anySignal([signal]);
    const ends = this.#all().map((cache) => cache.run(scope.signal).finally(() => scope.abort()));
    const failed = (await Promise.allSettled(ends)).find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async ready(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#all().map((cache) => cache.ready(signal)));
  }

  isReady(): boolean {
    return this.#all().every((cache) => cache.isReady());
  }

  revision(): Revision {
    return this.#main.revision();
  }

  drain(): void {
    for (const cache of this.#all()) cache.drain();
  }

  bookmark(): void {
    for (const cache of this.#all()) cache.bookmark();
  }

  figures(): readonly CacheFigures[] {
    return this.#all().flatMap((cache) => cache.figures());
  }

  async verify(signal: AbortSignal): Promise<DigestResult> {
    const results = await Promise.all(this.#all().map((cache) => cache.verify(signal)));
    return results.reduce((sum, { compared, mismatches }) => ({
      rev: sum.rev,
      compared: sum.compared + compared,
      mismatches: sum.mismatches + mismatches,
    }));
  }

  async readCorruptAgain(signal: AbortSignal): Promise<number> {
    const counts = await Promise.all(this.#all().map((cache) => cache.readCorruptAgain(signal)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  #all(): readonly WatchCache[] {
    return [this.#main, ...this.#parts.map(({ cache }) => cache)];
  }
}
