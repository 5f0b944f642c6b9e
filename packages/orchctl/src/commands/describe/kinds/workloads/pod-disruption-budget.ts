import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import { orNone, selectorText } from '../../text/values.ts';

export const podDisruptionBudget = describer<kinds.policy.PodDisruptionBudget>({
  group: 'policy',
  kind: 'PodDisruptionBudget',
  versions: ['v1', 'v1beta1'],
  describe(out, { metadata, spec = {}, status }) {
    out.fields(0, { Name: metadata.name, Namespace: metadata.namespace });
    if (spec.minAvailable !== undefined) out.field(0, 'Min available', spec.minAvailable);
    else if (spec.maxUnavailable !== undefined) out.field(0, 'Max unavailable', spec.maxUnavailable);
    out.field(0, 'Selector', spec.selector === undefined ? '<unset>' : orNone(selectorText(spec.selector)));
    out.line(0, 'Status:');
    out.fields(2, {
      'Allowed disruptions': status?.disruptionsAllowed ?? 0,
      Current: status?.currentHealthy ?? 0,
      Desired: status?.desiredHealthy ?? 0,
      Total: status?.expectedPods ?? 0,
    });
  },
});
