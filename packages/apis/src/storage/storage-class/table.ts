import type { StorageClass } from '@orch/kinds/storage';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

export const storageClassTable: TableDefinition<StorageClass> = {
  columns: [
    nameColumn,
    column('Provisioner', 'Provisioner of the volumes.'),
    column('ReclaimPolicy', 'What happens to a volume when its claim is deleted.'),
    column('VolumeBindingMode', 'When volumes are provisioned and bound.'),
    column('AllowVolumeExpansion', 'Whether volumes may be expanded.'),
    ageColumn,
  ],
  cells(storageClass, { annotations }) {
    const { defaultStorageClass, betaDefaultStorageClass } = annotations;
    const own = storageClass.metadata.annotations ?? {};
    const isDefault = own[defaultStorageClass] === 'true' || own[betaDefaultStorageClass] === 'true';
    return [
      `${nameCell(storageClass)}${isDefault ? ' (default)' : ''}`,
      storageClass.provisioner ?? '',
      (storageClass.reclaimPolicy ?? '') || 'Delete',
      (storageClass.volumeBindingMode ?? '') || 'Immediate',
      storageClass.allowVolumeExpansion === true,
      ageCell(storageClass),
    ];
  },
};
