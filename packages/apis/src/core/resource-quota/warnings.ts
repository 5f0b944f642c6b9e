import type { ResourceQuota } from '@orch/kinds/core';
import { compareQuantities, formatQuantity, parseQuantity } from '@orch/machinery/quantity';
import type { WarningContext } from '../../content-warning.ts';

const resources = ['cpu', 'memory', 'storage', 'ephemeral-storage'] as const;

/** Requests of these may be limited under the name of the resource alone. */
const alsoBare: ReadonlySet<string> = new Set(['cpu', 'memory']);

/** Warns of a new quota that permits more requests than limits. */
export function quotaWarnings(
  { spec: { hard = {} } = {} }: ResourceQuota,
  old: ResourceQuota | undefined,
  { since }: WarningContext,
): readonly string[] {
  if (old !== undefined || !since('1.35')) return [];
  return resources.flatMap((resource) => {
    const prefixed = `requests.${resource}`;
    const request = hard[prefixed] === undefined && alsoBare.has(resource) ? resource : prefixed;
    const limit = `limits.${resource}`;
    const [requested, limited] = [hard[request], hard[limit]].map((text) =>
      text === undefined ? undefined : parseQuantity(text),
    );
    if (requested === undefined || limited === undefined || compareQuantities(requested, limited) <= 0)
      return [];
    return [
      `ResourceQuota ${request} (${formatQuantity(requested)}) should be less than ${limit} (${formatQuantity(limited)})`,
    ];
  });
}
