import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import { podCounts } from '../../pods/counts.ts';
import { describePodTemplate } from '../../pods/pod-template.ts';
import { describeConditions } from '../../text/conditions.ts';
import { describeLabels } from '../../text/metadata.ts';
import { mapText, pairsOf } from '../../text/values.ts';

export const replicationController = describer<kinds.core.ReplicationController>({
  group: 'core',
  kind: 'ReplicationController',
  versions: ['v1'],
  async describe(out, object, context) {
    const { metadata, spec = {}, status } = object;
    const counts = await podCounts(object, pairsOf(spec.selector).join(','), context);
    out.fields(0, { Name: metadata.name, Namespace: metadata.namespace, Selector: mapText(spec.selector) });
    describeLabels(out, { metadata, names: context.names });
    out.field(0, 'Replicas', `${status?.replicas ?? 0} current / ${spec.replicas ?? 0} desired`);
    out.field(0, 'Pods Status', counts);
    describePodTemplate(out, spec.template, context.names);
    describeConditions(out, status?.conditions);
  },
});
