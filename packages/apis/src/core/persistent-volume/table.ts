import type { PersistentVolume } from '@orch/kinds/core';
import type { TableDefinition } from '../../resource-type.ts';
import {
  accessModesText,
  ageCell,
  ageColumn,
  column,
  nameCell,
  nameColumn,
  storageClassText,
} from '../../table.ts';
import { attributesClassColumn, modeColumn, phaseText, sizeText } from '../shared/volume/table-cells.ts';

export const persistentVolumeTable: TableDefinition<PersistentVolume> = {
  columns: [
    nameColumn,
    column('Capacity', 'Size of the volume.'),
    column('Access Modes', 'Access modes of the volume.'),
    column('Reclaim Policy', 'What happens to the volume when its claim is deleted.'),
    column('Status', 'Lifecycle state of the volume.'),
    column('Claim', 'Claim that the volume is bound to.'),
    column('StorageClass', 'Class of the volume.'),
    attributesClassColumn,
    column('Reason', 'Why the volume has failed.'),
    ageColumn,
    modeColumn,
  ],
  cells(volume, names) {
    const spec = volume.spec ?? {};
    const claim = spec.claimRef ?? {};
    return [
      nameCell(volume),
      sizeText(spec.capacity),
      accessModesText(spec.accessModes ?? []),
      spec.persistentVolumeReclaimPolicy ?? '',
      phaseText(volume),
      spec.claimRef === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`,
      storageClassText(volume, names.annotations.betaStorageClass),
      (spec.volumeAttributesClassName ?? '') || '<unset>',
      volume.status?.reason ?? '',
      ageCell(volume),
      (spec.volumeMode ?? '') || '<unset>',
    ];
  },
};
