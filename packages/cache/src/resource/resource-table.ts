import type { ResourceWatchCache } from './resource-watch-cache.ts';

/** The parts of a prefix that end with a slash, from the first one to the whole prefix. */
function foldersOf(prefix: string): readonly string[] {
  const folders: string[] = [];
  for (let slash = prefix.indexOf('/'); slash >= 0; slash = prefix.indexOf('/', slash + 1))
    folders.push(prefix.slice(0, slash + 1));
  return folders;
}

/** The cached resources of a registry prefix, found by name, by prefix, and by the keys of their objects. */
export class ResourceTable implements Iterable<ResourceWatchCache> {
  readonly #prefix: string;
  readonly #byPrefix = new Map<string, ResourceWatchCache>();
  readonly #byName = new Map<string, ResourceWatchCache>();
  /** Number of resources whose prefixes begin with a folder. */
  readonly #below = new Map<string, number>();
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
    const other = foldersOf(prefix).find((folder) => this.#byPrefix.has(folder));
    if (other !== undefined || this.#below.has(prefix)) {
      const which = other === undefined ? 'that of another resource' : `the prefix ${other}`;
      throw new Error(`the prefix ${prefix} of ${name} and ${which} contain one another`);
    }
    this.#byName.set(name, cache);
    this.#byPrefix.set(prefix, cache);
    for (const folder of foldersOf(prefix)) this.#below.set(folder, (this.#below.get(folder) ?? 0) + 1);
  }

  remove(cache: ResourceWatchCache): void {
    this.#byName.delete(cache.resource.name);
    this.#last = undefined;
    if (!this.#byPrefix.delete(cache.resource.prefix)) return;
    for (const folder of foldersOf(cache.resource.prefix)) {
      const others = (this.#below.get(folder) ?? 0) - 1;
      if (others > 0) this.#below.set(folder, others);
      else this.#below.delete(folder);
    }
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
