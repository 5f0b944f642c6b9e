import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import { accessModesText, storageClassOf } from '../../pods/claim.ts';
import { describeSource } from '../../pods/volumes.ts';
import type { Description } from '../../text/description.ts';
import { describeMetadata } from '../../text/metadata.ts';
import { describeTerms } from '../../text/terms.ts';
import { ageText } from '../../text/times.ts';
import { amount, goList } from '../../text/values.ts';

export const persistentVolume = describer<kinds.core.PersistentVolume>({
  group: 'core',
  kind: 'PersistentVolume',
  versions: ['v1'],
  describe(out, { metadata, spec = {}, status = {} }, { names, nowMs }) {
    describeMetadata(out, { metadata, names }, false);
    const { deletionTimestamp } = metadata;
    const claim = spec.claimRef;
    out.fields(0, {
      Finalizers: goList(metadata.finalizers),
      StorageClass: storageClassOf(metadata, spec.storageClassName, names),
      Status: deletionTimestamp
        ? `Terminating (lasts ${ageText(deletionTimestamp, nowMs)})`
        : (status.phase ?? ''),
      Claim: claim === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`,
      'Reclaim Policy': spec.persistentVolumeReclaimPolicy ?? '',
      'Access Modes': accessModesText(spec.accessModes),
    });
    if (spec.volumeMode !== undefined) out.field(0, 'VolumeMode', spec.volumeMode);
    out.field(0, 'Capacity', amount(spec.capacity?.['storage']));
    describeAffinity(out, spec.nodeAffinity);
    out.field(0, 'Message', status.message ?? '');
    out.line(0, 'Source:');
    describeSource(out, spec, 'persistentVolume');
  },
});

function describeAffinity(out: Description, affinity: kinds.core.VolumeNodeAffinity | undefined): void {
  const required = affinity?.required;
  if (required === undefined) {
    out.field(0, 'Node Affinity', '<none>');
    return;
  }
  out.field(0, 'Node Affinity', '');
  const terms = required.nodeSelectorTerms ?? [];
  out.field(1, 'Required Terms', terms.length === 0 ? '<none>' : '');
  describeTerms(
    out,
    2,
    terms.map(({ matchExpressions = [] }) => matchExpressions),
  );
}
