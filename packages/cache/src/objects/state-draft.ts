import type { StoredObject } from './stored-object.ts';
import { Tree } from './tree.ts';

/** A state that is put together, object by object in key order, beside the current one that it may replace. */
export class StateDraft {
  readonly tree = Tree.empty<StoredObject>();
  readonly objects = new Map<string, StoredObject>();

  add(object: StoredObject): void {
    this.tree.set(object);
    this.objects.set(object.key, object);
  }
}
