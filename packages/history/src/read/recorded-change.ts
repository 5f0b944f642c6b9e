import { yieldToEventLoop } from '@orch/machinery/concurrency';
import type { KeyValue, Revision } from '@orch/storage';
import { type ChangeKey, decodeChangeKey } from '../record/change-key.ts';

/** A recorded change, without its value. */
export interface FoundChange extends ChangeKey {
  /** The key in the store. */
  readonly key: string;
  /** Key of the object, below the prefix of its resource. */
  readonly object: string;
  /** Revision of the write. */
  readonly revision: Revision;
  /** Revision of the key in the store, to delete it by. */
  readonly modRevision: Revision;
}

/** The change of a key below the prefix of a resource; undefined for a key of another program. */
function foundChange(
  { key, createRevision: revision, modRevision }: KeyValue,
  prefix: string,
): FoundChange | undefined {
  const slash = key.lastIndexOf('/');
  const own = slash < prefix.length ? undefined : decodeChangeKey(key.slice(slash + 1));
  if (own === undefined) return undefined;
  return { ...own, key, object: key.slice(prefix.length, slash), revision, modRevision };
}

/**
 * All changes of one object, in the order of their writes. They are adjacent in a scan of keys. Yields to other work of
 * the thread between the parts.
 */
export async function* changesByObject(
  parts: AsyncIterable<{ readonly items: readonly KeyValue[] }>,
  prefix: string,
): AsyncGenerator<readonly FoundChange[]> {
  let changes: FoundChange[] = [];
  for await (const { items } of parts) {
    for (const kv of items) {
      const change = foundChange(kv, prefix);
      if (change === undefined) continue;
      if (changes.length > 0 && changes[0]?.object !== change.object) {
        yield inOrder(changes);
        changes = [];
      }
      changes.push(change);
    }
    await yieldToEventLoop();
  }
  if (changes.length > 0) yield inOrder(changes);
}

const inOrder = (changes: FoundChange[]): readonly FoundChange[] =>
  changes.sort((a, b) => a.revision - b.revision);
