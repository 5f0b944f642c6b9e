import type { ApiObject } from '@orch/machinery';
import { asObject, asStrings, asText, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import {
  accessModesText,
  ageCell,
  ageColumn,
  column,
  isBeingDeleted,
  nameCell,
  nameColumn,
  storageClassText,
  wideColumn,
} from '../../table.ts';

const modeColumn = wideColumn('VolumeMode', 'Whether it is used with a file system or as a block device.');

const phaseText = (object: ApiObject): string =>
  isBeingDeleted(object) ? 'Terminating' : asText(statusOf(object)['phase']);

/** An amount that is not there is nothing. */
const sizeText = (list: unknown): string => asText(asObject(list)['storage']) || '0';

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

export const persistentVolumeClaimTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Status', 'Whether the claim has a volume.'),
    column('Volume', 'Volume that the claim is bound to.'),
    column('Capacity', 'Size of that volume.'),
    column('Access Modes', 'Ways in which that volume can be mounted.'),
    column('StorageClass', 'Class of storage that is wanted.'),
    ageColumn,
    modeColumn,
  ],
  cells(claim, names) {
    const spec = specOf(claim);
    const status = statusOf(claim);
    const volume = asText(spec['volumeName']);
    return [
      nameCell(claim),
      phaseText(claim),
      volume,
      volume === '' ? '' : sizeText(status['capacity']),
      volume === '' ? '' : accessModesText(asStrings(status['accessModes'])),
      storageClassText(claim, spec, names.annotations.betaStorageClass),
      ageCell(claim),
      asText(spec['volumeMode']) || '<unset>',
    ];
  },
};
