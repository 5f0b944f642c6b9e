import { asObject, asText, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { flagColumn } from '../shared/flag-column.ts';

export const volumeAttachmentTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Attacher', 'Driver that attaches the volume.', { format: 'name' }),
    column('PV', 'The volume.'),
    column('Node', 'Node that it is attached to.'),
    flagColumn('Attached', 'Whether it is attached.'),
    ageColumn,
  ],
  cells(attachment) {
    const spec = specOf(attachment);
    return [
      nameCell(attachment),
      asText(spec['attacher']),
      asText(asObject(spec['source'])['persistentVolumeName']),
      asText(spec['nodeName']),
      statusOf(attachment)['attached'] === true,
      ageCell(attachment),
    ];
  },
};
