import type { kinds } from '@orch/client';
import { type DescribeContext, describer } from '../../describer.ts';
import { storageClassOf } from '../../pods/claim.ts';
import { podCounts } from '../../pods/counts.ts';
import { describePodTemplate } from '../../pods/pod-template.ts';
import type { Description } from '../../text/description.ts';
import { describeLabels } from '../../text/metadata.ts';
import { timeText } from '../../text/times.ts';
import { goList, pairsOf, selectorText } from '../../text/values.ts';

type StatefulSet = kinds.apps.StatefulSet;

export const statefulSet = describer<StatefulSet>({
  group: 'apps',
  kind: 'StatefulSet',
  versions: ['v1'],
  async describe(out, object, context) {
    const { metadata, spec, status } = object;
    const selector = selectorText(spec?.selector);
    const counts = await podCounts(object, selector, context);
    out.fields(0, { Name: metadata.name, Namespace: metadata.namespace });
    out.fields(0, { CreationTimestamp: timeText(metadata.creationTimestamp), Selector: selector });
    describeLabels(out, { metadata, names: context.names });
    out.field(0, 'Replicas', `${spec?.replicas ?? 0} desired | ${status?.replicas ?? 0} total`);
    describeStrategy(out, object);
    out.field(0, 'Pods Status', counts);
    describePodTemplate(out, spec?.template ?? {}, context.names);
    describeClaims(out, object, context);
  },
});

function describeStrategy(out: Description, { spec }: StatefulSet): void {
  const { type = '', rollingUpdate } = spec?.updateStrategy ?? {};
  out.field(0, 'Update Strategy', type);
  if (rollingUpdate?.partition === undefined) return;
  out.field(1, 'Partition', rollingUpdate.partition);
  if (rollingUpdate.maxUnavailable !== undefined)
    out.field(1, 'MaxUnavailable', rollingUpdate.maxUnavailable);
}

function describeClaims(out: Description, { spec }: StatefulSet, { names }: DescribeContext): void {
  const templates = spec?.volumeClaimTemplates ?? [];
  if (templates.length === 0) {
    out.field(0, 'Volume Claims', '<none>');
    return;
  }
  out.line(0, 'Volume Claims:');
  for (const { metadata, spec: claim = {} } of templates) {
    out.field(1, 'Name', metadata.name ?? '');
    out.field(1, 'StorageClass', storageClassOf(metadata, claim.storageClassName, names));
    out.list('  Labels', pairsOf(metadata.labels), '  ');
    out.list('  Annotations', pairsOf(metadata.annotations), '  ');
    out.field(1, 'Capacity', claim.resources?.requests?.['storage'] ?? '<default>');
    out.field(1, 'Access Modes', goList(claim.accessModes));
  }
}
