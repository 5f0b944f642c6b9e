import type { kinds } from '@orch/client';
import type { Description } from './description.ts';

const titles = [
  'Type',
  'Resource',
  'Min',
  'Max',
  'Default Request',
  'Default Limit',
  'Max Limit/Request Ratio',
];

/** The titles of the columns of limits, with the line below them. */
export const limitTitles: readonly (readonly string[])[] = [
  titles,
  titles.map((title) => '-'.repeat(title.length)),
];

/** The limits of a limit range, a line for each resource. `margin` is before each line. */
export function describeLimits(out: Description, { spec }: kinds.core.LimitRange, margin = ''): void {
  for (const { type, min, max, default: limit, defaultRequest, maxLimitRequestRatio } of spec?.limits ?? []) {
    const columns = [min, max, defaultRequest, limit, maxLimitRequestRatio];
    const resources = new Set(columns.flatMap((amounts) => Object.keys(amounts ?? {})));
    for (const resource of [...resources].toSorted())
      out.line(0, `${margin}${type}`, resource, ...columns.map((amounts) => amounts?.[resource] ?? '-'));
  }
}
