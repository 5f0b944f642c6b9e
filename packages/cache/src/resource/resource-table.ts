import type { ResourceWatchCache } from './resource-watch-cache.ts';

/** The cached resources of a registry prefix, found by name, by prefix, and by the keys of their objects. */
export class ResourceTable implements Iterable<ResourceWatchCache> {
  readonly #prefix: string;
  readonly #byPrefix = new Map<string, ResourceWatchCache>();
  readonly #byName = new Map<string, ResourceWatchCache>();
  #last: ResourceWatchCache | undefined;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  [Symbol.iterator](): IterableIterator<ResourceWatchCache> {
    return this.#byPrefix.values();
  }

  get(nameOrPrefix: string): ResourceWatchCache | undefined {
    return this.#byName.get(nameOrPrefix) ?? this.#byPrefix.get(nameOrPrefix);
  }

  /** Throws when the prefix overlaps with that of another resource, or is not below the table's prefix. */
  add(cache: ResourceWatchCache): void {
    const { name, prefix } = cache.resource;
    if (!prefix.startsWith(this.#prefix) || !prefix.endsWith('/')) {
      throw new Error(`${name}: the prefix ${prefix} must begin with ${this.#prefix} and end with a slash`);
    }
    if (this.#byName.has(name)) throw new Error(`the resource ${name} is cached already`);
    for (const other of this.#byPrefix.keys()) {
      if (other.startsWith(prefix) || prefix.startsWith(other)) {
        throw new Error(`the prefix ${prefix} of ${name} and the prefix ${other} contain one another`);
      }
    }
    this.#byName.set(name, cache);
    this.#byPrefix.set(prefix, cache);
  }

  remove(cache: ResourceWatchCache): void {
    this.#byName.delete(cache.resource.name);
    this.#byPrefix.delete(cache.resource.prefix);
    this.#last = undefined;
  }

  /** The resource that the key belongs to. */
  route(key: string): ResourceWatchCache | undefined {
    if (this.#last !== undefined && key.startsWith(this.#last.resource.prefix)) return this.#last;
    for (let slash = key.indexOf('/', this.#prefix.length); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      const found = this.#byPrefix.get(key.slice(0, slash + 1));
      if (found === undefined) continue;
      this.#last = found;
      return found;
    }
    return undefined;
  }
}
