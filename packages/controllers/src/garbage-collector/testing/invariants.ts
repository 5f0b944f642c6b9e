import assert from 'node:assert/strict';
import { hasDeletionTimestamp, namesFor, type ObjectMeta } from '@orch/machinery';
import type { Target } from '../live-objects.ts';
import { blocks, isWaiting } from '../object-state.ts';
import type { ModelChange } from './model-live.ts';
import type { ModelObjects } from './model-objects.ts';

const names = namesFor('orch');

/** The guarantees of a collector, checked against the model at every write and when no work is left. */
export class Invariants {
  readonly #model: ModelObjects;
  #violation: unknown;

  constructor(model: ModelObjects) {
    this.#model = model;
  }

  /** Throws the first violation: in a request it would only cause a retry. */
  check(): void {
    if (this.#violation !== undefined) throw this.#violation;
  }

  /** No object with an owner is deleted, unless all its owners are being deleted. */
  onDelete(meta: ObjectMeta): void {
    this.#assert(() => {
      assert.ok((meta.ownerReferences ?? []).length > 0, 'only objects with owner references are deleted');
      assert.ok(this.#isDecidable(meta), `${meta.name} is deleted, an owner may exist`);
      for (const owner of this.#ownersOf(meta))
        assert.ok(hasDeletionTimestamp(owner.meta), `${meta.name} is deleted, its owner exists`);
    });
  }

  /** Owners are released after their dependents, as far as these were observed at the decision. */
  onChange({ before, after, observed }: ModelChange): void {
    const { foregroundDeletion, orphan } = names.finalizers;
    const loses = (finalizer: string): boolean =>
      before.finalizers?.includes(finalizer) === true && after.finalizers?.includes(finalizer) !== true;
    const others = this.#model.all().filter(({ meta }) => observed.has(meta) && meta.uid !== before.uid);
    const dependents = others.filter(({ meta }) =>
      this.#ownersOf(meta).some((o) => o.meta.uid === before.uid),
    );
    this.#assert(() => {
      if (loses(foregroundDeletion)) {
        const blocking = dependents.filter(({ meta }) => blocks(meta, before));
        assert.deepEqual(blocking, [], `${before.name} is released before its blocking dependents`);
      }
      if (loses(orphan))
        assert.deepEqual(dependents, [], `${before.name} is released before its dependents are orphaned`);
      for (const owner of before.ownerReferences ?? []) {
        if (after.ownerReferences?.some(({ uid }) => uid === owner.uid) === true) continue;
        const target = this.#model.owner(owner, before.namespace ?? '');
        assert.ok(
          target === undefined || hasDeletionTimestamp(target.meta),
          'references to existing owners are kept',
        );
      }
    });
  }

  /** Every object with owner references has an owner. */
  atRest(): void {
    for (const { meta } of this.#model.all()) {
      if (hasDeletionTimestamp(meta) || (meta.ownerReferences ?? []).length === 0 || !this.#isDecidable(meta))
        continue;
      const owners = this.#ownersOf(meta);
      assert.ok(owners.length > 0, `${meta.name} (${meta.uid}) has no existing owner`);
      const alive = owners.filter((owner) => !isWaiting(owner.meta, names));
      assert.ok(alive.length > 0, `${meta.name} (${meta.uid}) blocks all its owners`);
    }
  }

  /** Without finalizers of clients every deletion completes, except those that wait for undecidable objects. */
  atEnd(): void {
    const deleting = this.#model.all().filter(({ meta }) => hasDeletionTimestamp(meta));
    const held = deleting.filter((target) => !this.#isExcused(target, new Set()));
    assert.deepEqual(held, [], 'every deletion completes');
  }

  /** Reports whether a deletion waits for a dependent with an owner of an unknown kind. */
  #isExcused({ meta }: Target, visited: Set<string>): boolean {
    if (visited.has(meta.uid ?? '')) return false;
    visited.add(meta.uid ?? '');
    return this.#model
      .all()
      .filter((other) => blocks(other.meta, meta))
      .some((other) =>
        hasDeletionTimestamp(other.meta) ? this.#isExcused(other, visited) : !this.#isDecidable(other.meta),
      );
  }

  #assert(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#violation ??= error;
    }
  }

  #isDecidable = (meta: ObjectMeta): boolean =>
    (meta.ownerReferences ?? []).every((owner) => this.#model.isResolvable(owner, meta.namespace ?? ''));

  #ownersOf = (meta: ObjectMeta): readonly Target[] =>
    (meta.ownerReferences ?? [])
      .map((owner) => this.#model.owner(owner, meta.namespace ?? ''))
      .filter((owner) => owner !== undefined);
}
