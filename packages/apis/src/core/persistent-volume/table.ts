import { asObject, asStrings, asText, specOf, statusOf } from '../../read.ts';
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
import { modeColumn, phaseText, sizeText } from '../shared/volume/table-cells.ts';

export const persistentVolumeTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Capacity', 'Size of the volume.'),
    column('Access Modes', 'Ways in which the volume can be mounted.'),
    column('Reclaim Policy', 'What becomes of the volume when its claim goes.'),
    column('Status', 'Where the volume is in its life.'),
    column('Claim', 'Claim that the volume is bound to.'),
    column('StorageClass', 'Class of the volume.'),
    column('Reason', 'Why the volume has failed.'),
    ageColumn,
    modeColumn,
  ],
  cells(volume, names) {
    const spec = specOf(volume);
    const claim = asObject(spec['claimRef']);
    return [
      nameCell(volume),
      sizeText(spec['capacity']),
      accessModesText(asStrings(spec['accessModes'])),
      asText(spec['persistentVolumeReclaimPolicy']),
      phaseText(volume),
      spec['claimRef'] === undefined ? '' : `${asText(claim['namespace'])}/${asText(claim['name'])}`,
      storageClassText(volume, spec, names.annotations.betaStorageClass),
      asText(statusOf(volume)['reason']),
      ageCell(volume),
      asText(spec['volumeMode']) || '<unset>',
    ];
  },
};
