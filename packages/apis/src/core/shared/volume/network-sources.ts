import { f, struct } from '@orch/schema';
import { fsTypeField, readOnlyField } from './source-fields.ts';
import { checkFlocker, checkNfs, checkRegistry } from './validation.ts';

export const NFSVolumeSource = struct(
  'core.v1.NFSVolumeSource',
  'Location of an NFS export, with the options of its mount.',
  {
    server: f.string(1, { doc: 'Name or address of the server.', presence: 'always', required: true }),
    path: f.string(2, { doc: 'Exported path.', presence: 'always', required: true }),
    readOnly: readOnlyField(3),
  },
  { checks: [checkNfs] },
);

export const FlockerVolumeSource = struct(
  'core.v1.FlockerVolumeSource',
  'A Flocker volume; one field is set.',
  {
    datasetName: f.string(1, { doc: 'Name of the dataset.' }),
    datasetUUID: f.string(2, { doc: 'Identity of the dataset.' }),
  },
  { checks: [checkFlocker] },
);

export const QuobyteVolumeSource = struct(
  'core.v1.QuobyteVolumeSource',
  'Location of a Quobyte volume, with the options of its mount.',
  {
    registry: f.string(1, { doc: 'Addresses of the registries.', presence: 'always', required: true }),
    volume: f.string(2, { doc: 'Name of the volume.', presence: 'always', required: true }),
    readOnly: readOnlyField(3),
    user: f.string(4, { doc: 'User to mount as.' }),
    group: f.string(5, { doc: 'Group to mount as.' }),
    tenant: f.string(6, { doc: 'Tenant that owns the volume.' }),
  },
  { checks: [checkRegistry] },
);

export const PortworxVolumeSource = struct(
  'core.v1.PortworxVolumeSource',
  'Location of a Portworx volume, with the options of its mount.',
  {
    volumeID: f.string(1, { doc: 'Identity of the volume.', presence: 'always', required: true }),
    fsType: fsTypeField(2),
    readOnly: readOnlyField(3),
  },
);
