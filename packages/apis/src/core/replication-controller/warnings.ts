import type { ReplicationController } from '@orch/kinds/core';
import type { WarningContext } from '../../content-warning.ts';
import { templateWarnings } from '../shared/pod-spec/warnings/pod.ts';
import { isNewGeneration, podNameWarnings } from '../shared/pod-spec/warnings/workload.ts';

/**
 * Warns of a replication controller. For compatibility, a change warns of the template that it
 * replaces, and releases before 1.27 shorten the path of a new one.
 */
export function replicationControllerWarnings(
  next: ReplicationController,
  old: ReplicationController | undefined,
  context: WarningContext,
): readonly string[] {
  if (!isNewGeneration(next, old)) return [];
  const path = old === undefined && !context.since('1.27') ? 'template' : 'spec.template';
  const { template } = (old ?? next).spec ?? {};
  return [...podNameWarnings(next, old, context), ...templateWarnings(path, template, context)];
}
