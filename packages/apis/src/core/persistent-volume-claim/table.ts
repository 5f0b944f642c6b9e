import type { PersistentVolumeClaim } from '@orch/kinds/core';
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

export const persistentVolumeClaimTable: TableDefinition<PersistentVolumeClaim> = {
  columns: [
    nameColumn,
    column('Status', 'Whether the claim is bound to a volume.'),
    column('Volume', 'Volume that the claim is bound to.'),
    column('Capacity', 'Size of that volume.'),
    column('Access Modes', 'Access modes of that volume.'),
    column('StorageClass', 'Requested storage class.'),
    attributesClassColumn,
    ageColumn,
    modeColumn,
  ],
  cells(claim, names) {
    const spec = claim.spec ?? {};
    const status = claim.status ?? {};
    const volume = spec.volumeName ?? '';
    return [
      nameCell(claim),
      phaseText(claim),
      volume,
      volume === '' ? '' : sizeText(status.capacity),
      volume === '' ? '' : accessModesText(status.accessModes ?? []),
      storageClassText(claim, names.annotations.betaStorageClass),
      (spec.volumeAttributesClassName ?? '') || '<unset>',
      ageCell(claim),
      (spec.volumeMode ?? '') || '<unset>',
    ];
  },
};
