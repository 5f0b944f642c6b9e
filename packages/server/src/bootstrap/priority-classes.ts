import type { Names } from '@orch/machinery';
import type { BootstrapObject } from './bootstrap-object.ts';

/** Priority classes of system components. */
export function priorityClasses(names: Names): readonly BootstrapObject[] {
  const { clusterCritical, nodeCritical } = names.priorityClasses;
  return [[clusterCritical, 2_000_000_000] as const, [nodeCritical, 2_000_001_000] as const].map(
    ([name, value]) => ({
      group: 'scheduling',
      resource: 'priorityclasses',
      name,
      content: {
        kind: 'PriorityClass',
        apiVersion: names.apiVersion('scheduling', 'v1'),
        metadata: {},
        value,
        preemptionPolicy: 'PreemptLowerPriority',
      },
      whenPresent: 'leave',
    }),
  );
}
