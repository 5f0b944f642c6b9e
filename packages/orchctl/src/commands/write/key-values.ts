import { UsageError } from '@orch/program/flags';

/** Changes of labels or annotations: a value to set, or null to remove. */
export interface KeyChanges {
  readonly set: ReadonlyMap<string, string>;
  readonly removed: ReadonlySet<string>;
}

/**
 * Splits arguments into those that name objects and changes `KEY=VALUE` and `KEY-`, which follow them. With objects of files all
 * are changes.
 */
export function splitKeyChanges(
  words: readonly string[],
  { hasFiles }: { readonly hasFiles: boolean },
): {
  readonly objects: readonly string[];
  readonly changes: KeyChanges;
} {
  const objects: string[] = [];
  const set = new Map<string, string>();
  const removed = new Set<string>();
  for (const word of words) {
    const at = word.indexOf('=');
    if (at > 0) set.set(word.slice(0, at), word.slice(at + 1));
    else if (word.endsWith('-') && word.length > 1 && (hasFiles || objects.length > 0))
      removed.add(word.slice(0, -1));
    else if (set.size + removed.size > 0)
      throw new UsageError(
        `unexpected argument ${JSON.stringify(word)}: all resources must be specified before changes`,
      );
    else objects.push(word);
  }
  for (const key of removed)
    if (set.has(key))
      throw new UsageError(`can not both modify and remove ${JSON.stringify(key)} in the same command`);
  return { objects, changes: { set, removed } };
}
