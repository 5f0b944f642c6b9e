import type { StatefulSet } from '@orch/kinds/apps';
import type { WarningContext } from '../../content-warning.ts';
import { claimSpecWarnings } from '../../core/shared/pod-spec/warnings/volumes.ts';
import { changedTemplateWarnings } from '../../core/shared/pod-spec/warnings/workload.ts';

/** Warns of a stateful set. */
export function statefulSetWarnings(
  next: StatefulSet,
  old: StatefulSet | undefined,
  context: WarningContext,
): readonly string[] {
  const { volumeClaimTemplates = [], revisionHistoryLimit = 0 } = next.spec ?? {};
  // The reference names the path of a changed object like this.
  const part = old === undefined ? '' : '.Spec';
  return [
    ...changedTemplateWarnings(next, old, context),
    ...volumeClaimTemplates.flatMap(({ spec = {} }, i) =>
      claimSpecWarnings(`spec.volumeClaimTemplates[${i}]${part}`, spec, context.since),
    ),
    ...(context.since('1.33') && revisionHistoryLimit < 0
      ? [
          'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
        ]
      : []),
  ];
}
