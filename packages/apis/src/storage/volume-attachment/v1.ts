import { f, items, struct } from '@orch/schema';
import { PersistentVolumeSpec } from '../../core/persistent-volume/index.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { checkAttachment, checkAttachmentSource, checkAttachmentStatus } from './validation.ts';

export const VolumeAttachmentSource = struct(
  'storage.v1.VolumeAttachmentSource',
  'The volume that is attached: exactly one field.',
  {
    persistentVolumeName: f.string(1, { doc: 'Name of a persistent volume.', presence: 'pointer' }),
    inlineVolumeSpec: f.struct(2, PersistentVolumeSpec, {
      doc: 'A volume that a pod names itself, in the form of the driver that took over its kind.',
      presence: 'pointer',
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

export const VolumeError = struct('storage.v1.VolumeError', 'What went wrong with a volume.', {
  time: f.time(1, { doc: 'When it went wrong.', presence: 'always' }),
  message: f.string(2, {
    doc: 'What went wrong, for people. It may be logged, so it holds no secrets.',
    maxBytes: 262_144,
  }),
});

export const VolumeAttachmentStatus = struct(
  'storage.v1.VolumeAttachmentStatus',
  'How far an attachment has come.',
  {
    attached: f.bool(1, { doc: 'Whether the volume is attached.', presence: 'always' }),
    attachmentMetadata: f.map(2, items.string, {
      doc: 'What the driver said when it attached the volume, and wants to hear again when it mounts it.',
    }),
    attachError: f.struct(3, VolumeError, {
      doc: 'What went wrong last when it was attached.',
      presence: 'pointer',
    }),
    detachError: f.struct(4, VolumeError, {
      doc: 'What went wrong last when it was detached.',
      presence: 'pointer',
    }),
  },
  { checks: [checkAttachmentStatus] },
);

export const VolumeAttachment = struct(
  'storage.v1.VolumeAttachment',
  'The wish to attach a volume to a node, or to detach it when this goes.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, VolumeAttachmentSpec, {
      doc: 'What its owner wants.',
      presence: 'always',
      openapiRequired: true,
      immutable: true,
    }),
    status: f.struct(3, VolumeAttachmentStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);
