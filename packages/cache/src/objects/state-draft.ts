import { KeyTable } from './key-table.ts';
import type { StoredObject } from './stored-object.ts';
import { Tree } from './tree.ts';

/** A state under construction, filled object by object in key order, that may replace the current state of a resource. */
export class StateDraft {
  readonly tree = Tree.empty<StoredObject>();
  readonly objects: KeyTable<StoredObject>;

  /** `seed` is that of the table of objects. */
  constructor(seed: number) {
    this.objects = new KeyTable(seed);
  }

  add(object: StoredObject): void {
    const { key } = object;
    this.tree.set(object, key);
    this.objects.set(object, key);
  }
}
