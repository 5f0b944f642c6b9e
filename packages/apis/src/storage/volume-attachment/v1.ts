import { f, items, struct } from '@orch/schema';
import { PersistentVolumeSpec } from '../../core/persistent-volume/index.ts';
import { metadataField, statusField } from '../../meta/standard-fields.ts';
import { checkAttachment, checkAttachmentSource, checkAttachmentStatus } from './validation.ts';

export const VolumeAttachmentSource = struct(
  'storage.v1.VolumeAttachmentSource',
  'The volume that is attached: exactly one field.',
  {
    persistentVolumeName: f.string(1, { doc: 'Name of a persistent volume.', presence: 'pointer' }),
    inlineVolumeSpec: f.struct(2, PersistentVolumeSpec, {
      doc: 'A volume that is declared in a pod, in the format of the driver that replaces its type.',
      presence: 'pointer',
      validatedIf: ({ persistentVolumeName }) => persistentVolumeName === undefined,
    }),
  },
  { checks: [checkAttachmentSource] },
);

export const VolumeAttachmentSpec = struct(
  'storage.v1.VolumeAttachmentSpec',
  'The volume to attach, its node and its attacher.',
  {
    attacher: f.string(1, {
      doc: 'Driver that attaches it.',
      presence: 'always',
      required: true,
    }),
    source: f.struct(2, VolumeAttachmentSource, {
      doc: 'The volume.',
      presence: 'always',
      openapiRequired: true,
    }),
    nodeName: f.string(3, { doc: 'The node.', presence: 'always' }),
  },
  { checks: [checkAttachment] },
);

export const VolumeError = struct('storage.v1.VolumeError', 'An error of a volume.', {
  time: f.time(1, { doc: 'Time of the error.', presence: 'always' }),
  message: f.string(2, {
    doc: 'Human-readable description of the error. It may be logged and must not contain secrets.',
    maxBytes: 262_144,
  }),

  errorCode: f.int32(3, {
    doc: 'gRPC code of the error.',
    presence: 'pointer',
    since: '1.35',
    gate: 'MutableCSINodeAllocatableCount',
  }),
});

export const VolumeAttachmentStatus = struct(
  'storage.v1.VolumeAttachmentStatus',
  'Progress of an attachment.',
  {
    attached: f.bool(1, { doc: 'Whether the volume is attached.', presence: 'always' }),
    attachmentMetadata: f.map(2, items.string, {
      doc: 'Metadata that the driver returned when it attached the volume, and receives when it mounts it.',
    }),
    attachError: f.struct(3, VolumeError, {
      doc: 'Last error of attaching the volume.',
      presence: 'pointer',
    }),
    detachError: f.struct(4, VolumeError, {
      doc: 'Last error of detaching the volume.',
      presence: 'pointer',
    }),
  },
  { checks: [checkAttachmentStatus] },
);

export const VolumeAttachment = struct(
  'storage.v1.VolumeAttachment',
  'A request to attach a volume to a node. Its deletion requests to detach the volume.',
  {
    metadata: metadataField,
    spec: f.struct(2, VolumeAttachmentSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
      immutable: true,
    }),
    status: statusField(VolumeAttachmentStatus),
  },
  { typeMeta: true },
);
