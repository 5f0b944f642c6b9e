import type { Resource } from '@orch/client';
import { hasDeletionTimestamp, type OwnerReference, type Random } from '@orch/machinery';
import type { ModelObjects } from './model-objects.ts';

const namespaces = ['n1', 'n2'];
const objectNames = ['a', 'b', 'c', 'd'];
const policies = ['Background', 'Foreground', 'Orphan'] as const;

/** A finalizer that the clients remove only at the end. */
const HOLD = 'example.com/hold';

/** An owner of an unknown kind. */
const NOWHERE: OwnerReference = {
  apiVersion: 'gone.example.com/v1',
  kind: 'Gone',
  name: 'g',
  uid: 'nowhere',
};

/** A random item; undefined when there is none. */
export const pick = <T>(random: Random, items: readonly T[]): T | undefined =>
  items[random.int(Math.max(1, items.length))];

/** Clients with random behaviour: they create, delete and label objects, and change their owners. */
export class ModelClients {
  readonly #model: ModelObjects;
  readonly #random: Random;

  constructor(model: ModelObjects, random: Random) {
    this.#model = model;
    this.#random = random;
  }

  act(): void {
    const target = pick(this.#random, this.#model.all());
    const what = this.#random.int(10);
    if (what < 5 || target === undefined) this.#create();
    else if (what < 8) this.#model.remove(target, pick(this.#random, policies) ?? 'Background');
    else if (what === 8) this.#model.edit(target, { labels: { n: String(this.#random.int(100)) } });
    else if (!hasDeletionTimestamp(target.meta))
      this.#model.edit(target, { ownerReferences: this.#owners() });
  }

  /** Removes the finalizers of clients, so that all deletions can complete. */
  removeFinalizers(): void {
    for (const target of this.#model.all()) {
      const { finalizers = [] } = target.meta;
      if (finalizers.includes(HOLD))
        this.#model.edit(target, { finalizers: finalizers.filter((finalizer) => finalizer !== HOLD) });
    }
  }

  #create(): void {
    const resource = pick(this.#random, this.#model.resources) as Resource;
    const ownerReferences = this.#owners();
    this.#model.create(resource, {
      name: pick(this.#random, objectNames) ?? '',
      ...(resource.namespaced ? { namespace: pick(this.#random, namespaces) ?? '' } : {}),
      ...(this.#random.int(6) === 0 ? { finalizers: [HOLD] } : {}),
      ...(ownerReferences.length > 0 ? { ownerReferences } : {}),
    });
  }

  /** Up to three references: to existing objects, of other namespaces too, to unknown kinds, and with wrong fields. */
  #owners(): OwnerReference[] {
    const owners = new Map<string, OwnerReference>();
    for (let n = this.#random.int(4); n > 0; n--) {
      const owner = this.#owner();
      owners.set(owner.uid, { ...owner, blockOwnerDeletion: this.#random.int(3) > 0 });
    }
    return [...owners.values()];
  }

  #owner(): OwnerReference {
    const chance = this.#random.int(20);
    const target = pick(this.#random, this.#model.all());
    if (chance === 0 || target === undefined) return NOWHERE;
    const { name = '', uid = '' } = target.meta;
    return {
      apiVersion: 'example.com/v1',
      kind: target.resource.kind,
      name: chance === 1 ? 'z' : name,
      uid: chance === 2 ? this.#random.uuid() : uid,
    };
  }
}
