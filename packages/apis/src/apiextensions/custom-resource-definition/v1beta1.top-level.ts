import { jsonEquals } from '@orch/machinery';
import { asObjects } from '../../read.ts';

/** Members of the older form that speak of all versions, and what each version calls them. */
export const topLevelMembers: readonly { readonly top: string; readonly own: string }[] = [
  { top: 'validation', own: 'schema' },
  { top: 'subresources', own: 'subresources' },
  { top: 'additionalPrinterColumns', own: 'additionalPrinterColumns' },
];

/** What all versions say alike, or undefined. */
export function saidByAll(versions: readonly Readonly<Record<string, unknown>>[], own: string): unknown {
  const first = versions[0]?.[own];
  return first !== undefined && versions.every((version) => jsonEquals(version[own], first))
    ? first
    : undefined;
}

/** In the older form what all versions say alike is said once, for all (facts: defaults). Answers whether it moved anything. */
export function hoistIdentical(spec: Record<string, unknown>): boolean {
  const versions = asObjects(spec['versions']) as readonly Record<string, unknown>[];
  let moved = false;
  for (const { top, own } of topLevelMembers) {
    if (spec[top] !== undefined) continue;
    const common = saidByAll(versions, own);
    if (common === undefined) continue;
    spec[top] = common;
    for (const version of versions) delete version[own];
    moved = true;
  }
  return moved;
}
