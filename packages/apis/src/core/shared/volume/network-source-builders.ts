import { f, items, type StructSchema, struct } from '@orch/schema';
import { fsTypeField, readOnlyField, secretRefField } from './source-fields.ts';
import { checkIscsi, checkSecretName } from './validation.ts';

// Network storage of pods and persistent volumes. The fields differ only in how a secret is referenced: pods use
// secrets of their namespace, persistent volumes have none and name it; `secret` is the schema of the reference.

/** Reports whether a reference to a secret is that of a persistent volume. */
const isNamespaced = ({ fields }: StructSchema): boolean => fields.some(({ name }) => name === 'namespace');

/** The parts of a reference to a secret that are required. */
const partsOf = (secret: StructSchema): readonly ('name' | 'namespace')[] =>
  isNamespaced(secret) ? ['name', 'namespace'] : ['name'];

type Fields = Parameters<typeof struct>[2];

export const glusterfsSource = (name: string, further: Fields = {}): StructSchema =>
  struct(`core.v1.${name}`, 'Location of a Glusterfs volume, with the options of its mount.', {
    endpoints: f.string(1, {
      doc: 'Endpoints object that names the servers.',
      presence: 'always',
      required: true,
    }),
    path: f.string(2, { doc: 'Name of the volume.', presence: 'always', required: true }),
    readOnly: readOnlyField(3),
    ...further,
  });

export const rbdSource = (name: string, secret: StructSchema): StructSchema =>
  struct(`core.v1.${name}`, 'Location of a Ceph block device, with the options of its mount.', {
    monitors: f.list(1, items.string, {
      doc: 'Addresses of Ceph monitors.',
      presence: 'always',
      required: true,
    }),
    image: f.string(2, { doc: 'Name of the image.', presence: 'always', required: true }),
    fsType: fsTypeField(3),
    pool: f.string(4, { doc: 'Name of the pool.', default: 'rbd' }),
    user: f.string(5, { doc: 'Name of the user.', default: 'admin' }),
    keyring: f.string(6, { doc: 'Path of the key ring on the node.', default: '/etc/ceph/keyring' }),
    secretRef: secretRefField(7, secret),
    readOnly: readOnlyField(8),
  });

export const iscsiSource = (name: string, secret: StructSchema): StructSchema =>
  struct(
    `core.v1.${name}`,
    'Location of an iSCSI disk, with the options of its mount.',
    {
      targetPortal: f.string(1, {
        doc: 'Address of the target, with the port unless it is the default one.',
        presence: 'always',
        required: true,
      }),
      iqn: f.string(2, { doc: 'Qualified name of the target.', presence: 'always', required: true }),
      lun: f.int32(3, { doc: 'Number of the logical unit.', presence: 'always', min: 0, max: 255 }),
      iscsiInterface: f.string(4, { doc: 'Interface to use.', default: 'default' }),
      fsType: fsTypeField(5),
      readOnly: readOnlyField(6),
      portals: f.list(7, items.string, { doc: 'Further addresses of the target.' }),
      chapAuthDiscovery: f.bool(8, { doc: 'Discovery uses CHAP authentication.' }),
      chapAuthSession: f.bool(11, { doc: 'Sessions use CHAP authentication.' }),
      secretRef: secretRefField(10, secret),
      initiatorName: f.string(12, { doc: 'Name of the initiator.', presence: 'pointer' }),
    },
    { checks: [checkIscsi, ...(isNamespaced(secret) ? [checkSecretName(['name'])] : [])] },
  );

export const cinderSource = (name: string, secret: StructSchema): StructSchema =>
  struct(
    `core.v1.${name}`,
    'Location of an OpenStack volume, with the options of its mount.',
    {
      volumeID: f.string(1, { doc: 'Identity of the volume.', presence: 'always', required: true }),
      fsType: fsTypeField(2),
      readOnly: readOnlyField(3),
      secretRef: secretRefField(4, secret),
    },
    { checks: [checkSecretName(partsOf(secret))] },
  );

export const cephFsSource = (name: string, secret: StructSchema): StructSchema =>
  struct(`core.v1.${name}`, 'Location of a Ceph file system, with the options of its mount.', {
    monitors: f.list(1, items.string, {
      doc: 'Addresses of Ceph monitors.',
      presence: 'always',
      required: true,
    }),
    path: f.string(2, { doc: 'Directory to mount.' }),
    user: f.string(3, { doc: 'Name of the user.' }),
    secretFile: f.string(4, { doc: 'Path of the key on the node.' }),
    secretRef: secretRefField(5, secret),
    readOnly: readOnlyField(6),
  });

export const flexSource = (name: string, secret: StructSchema): StructSchema =>
  struct(`core.v1.${name}`, 'Location of a volume of an exec based driver, with the options of its mount.', {
    driver: f.string(1, { doc: 'Name of the driver.', presence: 'always', required: true }),
    fsType: fsTypeField(2),
    secretRef: secretRefField(3, secret),
    readOnly: readOnlyField(4),
    options: f.map(5, items.string, { doc: 'Options for the driver.' }),
  });

export const azureFileSource = (name: string, further: Fields = {}): StructSchema =>
  struct(`core.v1.${name}`, 'Location of an Azure file share, with the options of its mount.', {
    secretName: f.string(1, {
      doc: 'Secret with the account and its key.',
      presence: 'always',
      required: true,
    }),
    shareName: f.string(2, { doc: 'Name of the share.', presence: 'always', required: true }),
    readOnly: readOnlyField(3),
    ...further,
  });

export const scaleIoSource = (name: string, secret: StructSchema): StructSchema =>
  struct(`core.v1.${name}`, 'Location of a ScaleIO volume, with the options of its mount.', {
    gateway: f.string(1, { doc: 'Address of the gateway.', presence: 'always', required: true }),
    system: f.string(2, { doc: 'Name of the system.', presence: 'always', required: true }),
    secretRef: f.struct(3, secret, {
      doc: 'Secret with the credentials for the storage.',
      nullable: true,
      presence: 'always',
      openapiRequired: true,
    }),
    sslEnabled: f.bool(4, { doc: 'Uses TLS to connect to the gateway.' }),
    protectionDomain: f.string(5, { doc: 'Name of the protection domain.' }),
    storagePool: f.string(6, { doc: 'Storage pool of the domain.' }),
    storageMode: f.string(7, { doc: 'ThickProvisioned or ThinProvisioned.', default: 'ThinProvisioned' }),
    volumeName: f.string(8, { doc: 'Name of the volume.', required: true }),
    fsType: fsTypeField(9, { default: 'xfs' }),
    readOnly: readOnlyField(10),
  });

export const storageOsSource = (name: string, secret: StructSchema): StructSchema =>
  struct(
    `core.v1.${name}`,
    'Location of a StorageOS volume, with the options of its mount.',
    {
      volumeName: f.string(1, { doc: 'Name of the volume.', required: true, format: 'dns1123label' }),
      volumeNamespace: f.string(2, { doc: 'StorageOS namespace of the volume.', format: 'dns1123label' }),
      fsType: fsTypeField(3),
      readOnly: readOnlyField(4),
      secretRef: secretRefField(5, secret),
    },
    { checks: [checkSecretName(partsOf(secret))] },
  );
