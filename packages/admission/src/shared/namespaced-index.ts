import type { ObjectSource, SourceObject } from '@orch/auth';
import type { HubObject } from '@orch/kinds/hub-object';

/** The objects of a resource by namespace, kept up to date and parsed when they are used. */
export class NamespacedIndex<R extends string> {
  readonly #namespaces = new Map<string, Map<string, Entry<HubObject<R>>>>();

  constructor(source: ObjectSource, resource: R) {
    source.subscribe(resource, {
      reset: (objects) => {
        this.#namespaces.clear();
        for (const object of objects) this.#set(object.key, object);
      },
      changed: (key, object) => this.#set(key, object),
    });
  }

  /** The objects of a namespace in order of their names. */
  in(namespace: string): readonly HubObject<R>[] {
    const objects = this.#namespaces.get(namespace);
    if (objects === undefined) return [];
    return [...objects].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry.object());
  }

  #set(key: string, object: SourceObject<HubObject<R>> | undefined): void {
    const namespace = key.slice(0, key.indexOf('/'));
    const objects = this.#namespaces.get(namespace) ?? new Map<string, Entry<HubObject<R>>>();
    if (object === undefined) objects.delete(key);
    else objects.set(key, new Entry(object));
    if (objects.size === 0) this.#namespaces.delete(namespace);
    else this.#namespaces.set(namespace, objects);
  }
}

class Entry<T> {
  readonly #source: SourceObject<T>;
  #object: T | undefined;

  constructor(source: SourceObject<T>) {
    this.#source = source;
  }

  object(): T {
    this.#object ??= this.#source.read();
    return this.#object;
  }
}
