import type { kinds } from '@orch/client';
import type { Names, ObjectMeta } from '@orch/machinery';
import { describer } from '../../describer.ts';
import { describeTerms } from '../../text/terms.ts';
import { mapText, titleBool } from '../../text/values.ts';

export const storageClass = describer<kinds.storage.StorageClass>({
  group: 'storage',
  kind: 'StorageClass',
  versions: ['v1'],
  describe(out, object, { names }) {
    const { metadata, mountOptions = [], allowedTopologies } = object;
    out.fields(0, {
      Name: metadata.name,
      IsDefaultClass: isDefault(metadata, names) ? 'Yes' : 'No',
      Annotations: mapText(metadata.annotations),
      Provisioner: object.provisioner,
      Parameters: mapText(object.parameters),
      AllowVolumeExpansion: titleBool(object.allowVolumeExpansion),
    });
    if (mountOptions.length === 0) out.field(0, 'MountOptions', '<none>');
    else out.line(0, 'MountOptions:');
    for (const option of mountOptions) out.line(1, option);
    if (object.reclaimPolicy !== undefined) out.field(0, 'ReclaimPolicy', object.reclaimPolicy);
    if (object.volumeBindingMode !== undefined) out.field(0, 'VolumeBindingMode', object.volumeBindingMode);
    if (allowedTopologies === undefined) return;
    out.field(0, 'AllowedTopologies', allowedTopologies.length === 0 ? '<none>' : '');
    describeTerms(
      out,
      1,
      allowedTopologies.map(({ matchLabelExpressions = [] }) => matchLabelExpressions),
    );
  },
});

const isDefault = ({ annotations = {} }: ObjectMeta, names: Names): boolean =>
  annotations[names.annotations.defaultStorageClass] === 'true' ||
  annotations[names.annotations.betaDefaultStorageClass] === 'true';
