import type { ObjectSource, SourceObject } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';

/** The objects of a resource by namespace, kept up to date and parsed when they are used. */
export class NamespacedIndex<T extends ApiObject> {
  readonly #namespaces = new Map<string, Map<string, Entry<T>>>();

  constructor(source: ObjectSource, resource: string) {
    source.subscribe(resource, {
      reset: (objects) => {
        this.#namespaces.clear();
        for (const object of objects) this.#set(object.key, object);
      },
      changed: (key, object) => this.#set(key, object),
    });
  }

  /** The objects of a namespace in order of their names. */
  in(namespace: string): readonly T[] {
    const objects = this.#namespaces.get(namespace);
    if (objects === undefined) return [];
    return [...objects].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry.object());
  }

  #set(key: string, object: SourceObject | undefined): void {
    const namespace = key.slice(0, key.indexOf('/'));
    const objects = this.#namespaces.get(namespace) ?? new Map<string, Entry<T>>();
    if (object === undefined) objects.delete(key);
    else objects.set(key, new Entry<T>(object));
    if (objects.size === 0) this.#namespaces.delete(namespace);
    else this.#namespaces.set(namespace, objects);
  }
}

class Entry<T extends ApiObject> {
  readonly #source: SourceObject;
  #object: T | undefined;

  constructor(source: SourceObject) {
    this.#source = source;
  }

  object(): T {
    this.#object ??= this.#source.read() as T;
    return this.#object;
  }
}
