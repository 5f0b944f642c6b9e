import type { kinds } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { describer } from '../../describer.ts';
import { podCounts } from '../../pods/counts.ts';
import { describePodTemplate } from '../../pods/pod-template.ts';
import { describeConditions } from '../../text/conditions.ts';
import { describeLabels } from '../../text/metadata.ts';
import { controllerText, orNone, selectorText } from '../../text/values.ts';

export const replicaSet = describer<kinds.apps.ReplicaSet>({
  group: 'apps',
  kind: 'ReplicaSet',
  versions: ['v1'],
  async describe(out, object, context) {
    const { metadata, spec, status } = object;
    const selector = selectorText(spec?.selector);
    const counts = await podCounts(object, selector, context).catch((error: unknown) => {
      if (error instanceof ApiError) return `error in fetching pods: ${error.message}`;
      throw error;
    });
    out.fields(0, { Name: metadata.name, Namespace: metadata.namespace, Selector: orNone(selector) });
    describeLabels(out, { metadata, names: context.names });
    const controller = controllerText(metadata);
    if (controller !== undefined) out.field(0, 'Controlled By', controller);
    out.field(0, 'Replicas', `${status?.replicas ?? 0} current / ${spec?.replicas ?? 0} desired`);
    out.field(0, 'Pods Status', counts);
    describePodTemplate(out, spec?.template ?? {}, context.names);
    describeConditions(out, status?.conditions);
  },
});
