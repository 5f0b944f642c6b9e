import { type ComputeDefault, f, items, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { ObjectReference } from '../shared/references.ts';
import { NodeSelector } from '../shared/selectors.ts';
import { publishedAccessModes } from '../shared/volume/claim-spec.ts';
import { PersistentVolumeSource } from './source.ts';
import { checkVolumeSpec } from './validation.ts';

export const VolumeNodeAffinity = struct(
  'core.v1.VolumeNodeAffinity',
  'Limits the nodes from which a volume can be reached.',
  {
    required: f.struct(1, NodeSelector, {
      doc: 'Nodes from which it can be.',
      presence: 'pointer',
      required: true,
    }),
  },
);

/** A default of volumes, but not of those within an attachment. */
const ofVolumes =
  (value: string): ComputeDefault =>
  (_spec, _names, { root }) =>
    root === 'core.v1.PersistentVolume' ? value : undefined;

/** Reports whether a specification belongs to a volume. Within an attachment, `checkInlineVolume` has the rules. */
const isIndependent = (_spec: unknown, _names: unknown, path: string): boolean =>
  !path.endsWith('.inlineVolumeSpec');

export const PersistentVolumeSpec = struct(
  'core.v1.PersistentVolumeSpec',
  'Where the storage of a volume is, and how it may be used.',
  {
    capacity: f.map(1, items.quantity, { doc: 'Size, under the resource `storage`.' }),
    persistentVolumeSource: f.inline(2, PersistentVolumeSource, { protoName: 'persistentVolumeSource' }),
    accessModes: f.list(3, items.string, {
      doc: 'Access modes of the volume.',
      required: true,
      openapiEnum: publishedAccessModes,
    }),
    claimRef: f.struct(4, ObjectReference, {
      doc: 'Claim that the volume is bound to.',
      presence: 'pointer',
      granularSince: '1.25',
    }),
    persistentVolumeReclaimPolicy: f.string(5, {
      doc: 'What happens to the volume when its claim is deleted: Retain, Delete or Recycle.',
      default: ofVolumes('Retain'),
      validatedIf: isIndependent,
      enum: ['Delete', 'Recycle', 'Retain'],
    }),
    storageClassName: f.string(6, {
      doc: 'Class that the volume belongs to; none when empty.',
      format: 'dns1123subdomain',
      validatedIf: isIndependent,
    }),
    mountOptions: f.list(7, items.string, { doc: 'Options for mounting; not validated.' }),
    volumeMode: f.string(8, {
      doc: 'Whether it is used with a file system or as a raw block device.',
      presence: 'pointer',
      default: ofVolumes('Filesystem'),
      enum: ['Block', 'Filesystem'],
      emptyIsInvalid: true,
      openapiEnum: { since: '1.27' },
      validatedIf: isIndependent,
    }),
    nodeAffinity: f.struct(9, VolumeNodeAffinity, {
      doc: 'Nodes from which the volume can be reached.',
      presence: 'pointer',
      validatedIf: isIndependent,
    }),

    volumeAttributesClassName: f.string(10, {
      doc: 'Attributes class of the volume.',
      presence: 'pointer',
      format: 'dns1123subdomain',
      since: '1.34',
      gate: 'VolumeAttributesClass',
    }),
  },
  { checks: [checkVolumeSpec] },
);

export const PersistentVolumeStatus = struct(
  'core.v1.PersistentVolumeStatus',
  'Lifecycle state of a volume.',
  {
    phase: f.string(1, {
      doc: 'Pending, Available, Bound, Released or Failed.',
      default: 'Pending',
      openapiEnum: { values: ['Available', 'Bound', 'Failed', 'Pending', 'Released'] },
    }),
    message: f.string(2, { doc: 'Human-readable details.' }),
    reason: f.string(3, { doc: 'Machine-readable reason, in CamelCase.' }),

    lastPhaseTransitionTime: f.time(4, {
      doc: 'When the phase last changed.',
      presence: 'pointer',
      since: '1.29',
      gate: 'PersistentVolumeLastPhaseTransitionTime',
    }),
  },
);

export const PersistentVolume = struct(
  'core.v1.PersistentVolume',
  'A piece of storage of the cluster, set up by an administrator or on demand.',
  {
    metadata: metadataField,
    spec: specField(PersistentVolumeSpec),
    status: statusField(PersistentVolumeStatus),
  },
  { typeMeta: true },
);
