import type { kinds } from '@orch/client';
import { jsonEquals } from '@orch/machinery/json';
import { formatTime } from '@orch/machinery/time';
import type { ContentReport } from './content-report.ts';

type NamespaceCondition = kinds.core.NamespaceCondition;

/** Entries listed in a message; further ones are counted. */
const MAX_LISTED = 20;
/** Maximum length of one entry, because reasons are sent by servers. */
const ENTRY_CHARS = 300;

function listed(entries: Iterable<string>): string {
  const all = [...entries].sort();
  const cut = (entry: string): string =>
    entry.length > ENTRY_CHARS ? `${entry.slice(0, ENTRY_CHARS)}…` : entry;
  const more = all.length > MAX_LISTED ? `, and ${all.length - MAX_LISTED} more` : '';
  return all.slice(0, MAX_LISTED).map(cut).join(', ') + more;
}

const pairs = (entries: ReadonlyMap<string, string>): string =>
  listed([...entries].map(([name, reason]) => `${name}: ${reason}`));

type ConditionRule = readonly [
  type: string,
  bad: (report: ContentReport) => readonly [reason: string, message: string] | undefined,
  good: readonly [reason: string, message: string],
];

/** In the order of the conditions in the status. */
const rules: readonly ConditionRule[] = [
  [
    'NamespaceDeletionDiscoveryFailure',
    ({ undiscovered }) =>
      undiscovered.size === 0
        ? undefined
        : [
            'DiscoveryFailed',
            `Discovery failed for some groups, ${undiscovered.size} failing: ${pairs(undiscovered)}`,
          ],
    ['ResourcesDiscovered', 'All resources are known'],
  ],
  [
    'NamespaceDeletionGroupVersionParsingFailure',
    ({ unreadable }) =>
      unreadable.length === 0
        ? undefined
        : ['GroupVersionParsingFailed', `Some group versions cannot be parsed: ${listed(unreadable)}`],
    ['ParsedGroupVersions', 'All group versions could be parsed'],
  ],
  [
    'NamespaceDeletionContentFailure',
    ({ failures }) =>
      failures.size === 0
        ? undefined
        : [
            'ContentDeletionFailed',
            `Failed to delete all resource types, ${failures.size} remaining: ${pairs(failures)}`,
          ],
    ['ContentDeleted', 'All content is deleted, some of it may wait for finalizers or grace periods'],
  ],
  [
    'NamespaceContentRemaining',
    ({ remaining }) =>
      remaining.size === 0
        ? undefined
        : [
            'SomeResourcesRemain',
            `Some resources are remaining: ${listed([...remaining].map(([name, n]) => `${name} has ${n} resource instances`))}`,
          ],
    ['ContentRemoved', 'All content is gone'],
  ],
  [
    'NamespaceFinalizersRemaining',
    ({ finalizers }) =>
      finalizers.size === 0
        ? undefined
        : [
            'SomeFinalizersRemain',
            `Some content in the namespace has finalizers remaining: ${listed([...finalizers].map(([name, n]) => `${name} in ${n} resource instances`))}`,
          ],
    ['ContentHasNoFinalizers', 'No content waits for a finalizer'],
  ],
];

/**
 * The conditions of a namespace after an examination of its content. Conditions of other controllers are kept, and
 * `lastTransitionTime` changes with the status only. Undefined when nothing changes.
 */
export function conditionsAfter(
  report: ContentReport,
  before: readonly NamespaceCondition[],
  nowMs: number,
): NamespaceCondition[] | undefined {
  const after = before.filter(({ type }) => rules.every(([own]) => own !== type));
  for (const [type, bad, good] of rules) {
    const old = before.find((condition) => condition.type === type);
    const found = bad(report);
    const status = found === undefined ? 'False' : 'True';
    const [reason, message] = found ?? good;
    const lastTransitionTime =
      (old?.status === status ? old.lastTransitionTime : undefined) ?? formatTime(nowMs);
    after.push({ type, status, lastTransitionTime, reason, message });
  }
  return jsonEquals(after, before) ? undefined : after;
}
