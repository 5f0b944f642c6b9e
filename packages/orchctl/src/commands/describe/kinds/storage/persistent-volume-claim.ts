import type { kinds } from '@orch/client';
import { type DescribeContext, describer, listAll } from '../../describer.ts';
import { accessModesText, describeClaimSource, storageClassOf } from '../../pods/claim.ts';
import type { Description } from '../../text/description.ts';
import { describeLabels } from '../../text/metadata.ts';
import { ageText, timeText } from '../../text/times.ts';
import { amount, goList } from '../../text/values.ts';

type Claim = kinds.core.PersistentVolumeClaim;

export const persistentVolumeClaim = describer<Claim>({
  group: 'core',
  kind: 'PersistentVolumeClaim',
  versions: ['v1'],
  async describe(out, object, context) {
    const { metadata, spec = {}, status = {} } = object;
    const users = await podsOf(object, context);
    const { deletionTimestamp } = metadata;
    out.fields(0, {
      Name: metadata.name,
      Namespace: metadata.namespace,
      StorageClass: storageClassOf(metadata, spec.storageClassName, context.names),
      Status: deletionTimestamp
        ? `Terminating (lasts ${ageText(deletionTimestamp, context.nowMs)})`
        : (status.phase ?? ''),
      Volume: spec.volumeName ?? '',
    });
    describeLabels(out, { metadata, names: context.names });
    const isBound = (spec.volumeName ?? '') !== '';
    out.fields(0, {
      Finalizers: goList(metadata.finalizers),
      Capacity: isBound ? amount(status.capacity?.['storage']) : '',
      'Access Modes': isBound ? accessModesText(status.accessModes) : '',
    });
    describeClaimSource(out, 0, spec);
    out.list('Used By', users);
    describeConditions(out, object);
  },
});

/** The names of the pods that use or own a claim. */
async function podsOf({ metadata }: Claim, context: DescribeContext): Promise<readonly string[]> {
  const owners = new Set(
    (metadata.ownerReferences ?? []).filter(({ kind }) => kind === 'Pod').map(({ uid }) => uid),
  );
  const pods = await listAll(context.typed.core.v1.pods, context);
  const users = pods.filter(
    ({ spec, metadata: { uid = '' } }) =>
      owners.has(uid) ||
      spec?.volumes?.some(({ persistentVolumeClaim: claim }) => claim?.claimName === metadata.name) === true,
  );
  return users.map((pod) => pod.metadata.name ?? '').toSorted();
}

function describeConditions(out: Description, { status = {} }: Claim): void {
  const { conditions = [] } = status;
  if (conditions.length === 0) return;
  out.line(0, 'Conditions:');
  out.line(1, 'Type', 'Status', 'LastProbeTime', 'LastTransitionTime', 'Reason', 'Message');
  out.line(1, '----', '------', '-----------------', '------------------', '------', '-------');
  for (const {
    type,
    status: state,
    lastProbeTime,
    lastTransitionTime,
    reason = '',
    message = '',
  } of conditions)
    out.line(
      1,
      ...[type, state, timeText(lastProbeTime), timeText(lastTransitionTime), reason].map(
        (cell) => `${cell} `,
      ),
      message,
    );
}
