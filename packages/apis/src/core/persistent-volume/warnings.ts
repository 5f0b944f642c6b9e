import type { PersistentVolume, PersistentVolumeSpec } from '@orch/kinds/core';
import type { WarningContext } from '../../content-warning.ts';
import { nodeTermWarnings } from '../../node-label-warnings.ts';
import { storageAnnotationWarnings } from '../shared/storage-annotation.ts';

/** Sources whose plugins are removed, with the names that warnings have for them. */
const removedSources: readonly (readonly [keyof PersistentVolumeSpec, string])[] = [
  ['cephfs', 'cephfs: deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO: deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS: deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs: deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd: deprecated in v1.28, non-functional in v1.31+'],
];

/** Warns of a volume. */
export function volumeWarnings(
  { metadata: { annotations = {} }, spec = {} }: PersistentVolume,
  _old: PersistentVolume | undefined,
  context: WarningContext,
): readonly string[] {
  const { names, since } = context;
  if (!since('1.25')) return [];
  const { betaMountOptions } = names.annotations;
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return [
    ...storageAnnotationWarnings(annotations, context),
    ...(annotations[betaMountOptions] !== undefined && since('1.31')
      ? [
          `metadata.annotations[${betaMountOptions}]: deprecated since v1.31; use "mountOptions" attribute instead`,
        ]
      : []),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle' && since('1.30')
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...terms.flatMap((term, i) =>
      nodeTermWarnings(`spec.nodeAffinity.required.nodeSelectorTerms[${i}]`, term, context),
    ),
    ...(since('1.28')
      ? removedSources.flatMap(([field, text]) => (spec[field] === undefined ? [] : [`spec.${text}`]))
      : []),
  ];
}
