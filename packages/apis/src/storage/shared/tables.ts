import { asObject, asObjects, asStrings, asText, specOf, statusOf } from '../../read.ts';
import type { Column, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone } from '../../table.ts';

export const storageClassTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Provisioner', 'Who makes the volumes.'),
    column('ReclaimPolicy', 'What becomes of a volume when its claim goes.'),
    column('VolumeBindingMode', 'When volumes are made and bound.'),
    column('AllowVolumeExpansion', 'Whether volumes may grow.'),
    ageColumn,
  ],
  cells(storageClass, { annotations }) {
    const { defaultStorageClass, betaDefaultStorageClass } = annotations;
    const own = storageClass.metadata.annotations ?? {};
    const isDefault = own[defaultStorageClass] === 'true' || own[betaDefaultStorageClass] === 'true';
    return [
      `${nameCell(storageClass)}${isDefault ? ' (default)' : ''}`,
      asText(storageClass['provisioner']),
      asText(storageClass['reclaimPolicy']) || 'Delete',
      asText(storageClass['volumeBindingMode']) || 'Immediate',
      storageClass['allowVolumeExpansion'] === true,
      ageCell(storageClass),
    ];
  },
};

const flag = (name: string, description: string, rest: Partial<Column> = {}) =>
  column(name, description, { type: 'boolean', ...rest });

const withCapacity = { since: '1.21', gate: 'CSIStorageCapacity' } as const;
const withTokens = { since: '1.21', gate: 'CSIServiceAccountToken' } as const;

export const csiDriverTable: TableDefinition = {
  columns: [
    nameColumn,
    flag('AttachRequired', 'Whether volumes are attached before they are mounted.'),
    flag('PodInfoOnMount', 'Whether the driver is told about the pod.'),
    flag('StorageCapacity', 'Whether the driver reports how much storage is left.', withCapacity),
    column('TokenRequests', 'Audiences of the tokens that it gets.', withTokens),
    flag('RequiresRepublish', 'Whether it is called again and again while a volume is mounted.', withTokens),
    column('Modes', 'How long its volumes live.'),
    ageColumn,
  ],
  cells(driver) {
    const spec = specOf(driver);
    const audiences = asObjects(spec['tokenRequests']).map((request) => asText(request['audience']));
    return [
      nameCell(driver),
      spec['attachRequired'] !== false,
      spec['podInfoOnMount'] === true,
      spec['storageCapacity'] === true,
      spec['tokenRequests'] === undefined ? '<unset>' : audiences.join(','),
      spec['requiresRepublish'] === true,
      orNone(asStrings(spec['volumeLifecycleModes']).join(',')),
      ageCell(driver),
    ];
  },
};

export const csiNodeTable: TableDefinition = {
  columns: [nameColumn, column('Drivers', 'Number of drivers on the node.', { type: 'integer' }), ageColumn],
  cells: (node) => [nameCell(node), asObjects(specOf(node)['drivers']).length, ageCell(node)],
};

export const csiStorageCapacityTable: TableDefinition = {
  columns: [
    nameColumn,
    column('StorageClassName', 'Class that the report is about.'),
    column('Capacity', 'Storage that is left.'),
  ],
  cells: (report) => [nameCell(report), asText(report['storageClassName']), asText(report['capacity'])],
};

/** What kinds without a table of their own show; the reports had none at first. */
export const earlierCsiStorageCapacityTable: TableDefinition = {
  columns: [nameColumn, column('Created At', 'When the server created the object.', { type: 'date' })],
  cells: (report) => [nameCell(report), report.metadata.creationTimestamp ?? null],
};

export const volumeAttachmentTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Attacher', 'Driver that attaches the volume.', { format: 'name' }),
    column('PV', 'The volume.'),
    column('Node', 'Node that it is attached to.'),
    flag('Attached', 'Whether it is attached.'),
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
