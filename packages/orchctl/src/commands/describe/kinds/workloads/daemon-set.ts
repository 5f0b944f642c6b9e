import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import { podCounts } from '../../pods/counts.ts';
import { describePodTemplate } from '../../pods/pod-template.ts';
import { describeLabels } from '../../text/metadata.ts';
import { mapText, selectorText } from '../../text/values.ts';

const counters = {
  'Desired Number of Nodes Scheduled': 'desiredNumberScheduled',
  'Current Number of Nodes Scheduled': 'currentNumberScheduled',
  'Number of Nodes Scheduled with Up-to-date Pods': 'updatedNumberScheduled',
  'Number of Nodes Scheduled with Available Pods': 'numberAvailable',
  'Number of Nodes Misscheduled': 'numberMisscheduled',
} as const;

export const daemonSet = describer<kinds.apps.DaemonSet>({
  group: 'apps',
  kind: 'DaemonSet',
  versions: ['v1'],
  async describe(out, object, context) {
    const { metadata, spec, status } = object;
    const selector = selectorText(spec?.selector);
    const counts = await podCounts(object, selector, context);
    out.fields(0, { Name: metadata.name, Namespace: metadata.namespace, Selector: selector });
    out.field(0, 'Node-Selector', mapText(spec?.template.spec?.nodeSelector));
    describeLabels(out, { metadata, names: context.names });
    for (const [title, field] of Object.entries(counters)) out.line(0, `${title}: ${status?.[field] ?? 0}`);
    out.field(0, 'Pods Status', counts);
    describePodTemplate(out, spec?.template ?? {}, context.names);
  },
});
