import type { VolumeAttachment } from '@orch/kinds/storage';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { flagColumn } from '../shared/flag-column.ts';

export const volumeAttachmentTable: TableDefinition<VolumeAttachment> = {
  columns: [
    nameColumn,
    column('Attacher', 'Driver that attaches the volume.', { format: 'name' }),
    column('PV', 'The volume.'),
    column('Node', 'Node that it is attached to.'),
    flagColumn('Attached', 'Whether it is attached.'),
    ageColumn,
  ],
  cells(attachment) {
    const spec = attachment.spec ?? {};
    return [
      nameCell(attachment),
      spec.attacher ?? '',
      spec.source?.persistentVolumeName ?? '',
      spec.nodeName ?? '',
      attachment.status?.attached === true,
      ageCell(attachment),
    ];
  },
};
