import { f, items, struct } from '@orch/schema';
import { FieldsV1 } from './raw.ts';
import { checkTemplateMetadata } from './validation.ts';

export const OwnerReference = struct(
  'meta.v1.OwnerReference',
  'References the owner of this object; when the owner is deleted, the garbage collector deletes its dependents.',
  {
    apiVersion: f.string(5, { doc: 'Group and version of the owner.', presence: 'always' }),
    kind: f.string(1, { doc: 'Kind of the owner.', presence: 'always' }),
    name: f.string(3, {
      doc: 'Name of the owner, in the same namespace or cluster-scoped.',
      presence: 'always',
    }),
    uid: f.string(4, {
      doc: 'Identity of the owner; a new object of the same name is not the owner.',
      presence: 'always',
    }),
    controller: f.bool(6, { doc: 'True for the one owner that manages this object.', presence: 'pointer' }),
    blockOwnerDeletion: f.bool(7, {
      doc: 'With foreground deletion, the owner is not deleted before this object.',
      presence: 'pointer',
    }),
  },
  { mapType: 'atomic', mapTypeSince: '1.22' },
);

export const ManagedFieldsEntry = struct(
  'meta.v1.ManagedFieldsEntry',
  'Records which fields one manager set, by which kind of request and in which version.',
  {
    manager: f.string(1, { doc: 'Who set the fields: a program or a controller.' }),
    operation: f.string(2, {
      doc: 'Whether the fields were applied (`Apply`) or written by other requests (`Update`).',
    }),
    apiVersion: f.string(3, { doc: 'Version that the field set refers to.' }),
    time: f.time(4, { doc: 'When the manager last changed the set.', presence: 'pointer' }),
    fieldsType: f.string(6, { doc: 'Format of the field set; always FieldsV1.', since: '1.16' }),
    fieldsV1: f.struct(7, FieldsV1, {
      doc: 'The set itself, as a tree of field names.',
      presence: 'pointer',
      since: '1.16',
    }),
    subresource: f.string(8, {
      doc: 'Subresource through which the fields were set; empty for the object itself.',
      since: '1.22',
    }),
  },
);

export const ObjectMeta = struct(
  'meta.v1.ObjectMeta',
  'Metadata of all stored objects: identity, versions, labels, owners and deletion state.',
  {
    name: f.string(1, { doc: 'Unique within the resource and namespace; cannot change later.' }),
    generateName: f.string(2, {
      doc: 'Prefix for a name that the server completes with five random characters, used when no name is given.',
    }),
    namespace: f.string(3, { doc: 'Namespace of the object; empty for cluster-scoped objects.' }),
    selfLink: f.string(4, {
      doc: 'Path of the object. No longer filled in.',
      deprecated: 'No longer filled in.',
    }),
    uid: f.string(5, { doc: 'Unique identifier of the object, set by the server; never reused.' }),
    resourceVersion: f.string(6, {
      doc: 'Opaque version of the stored object, for optimistic locking, watches and consistent reads. Compare it only for equality.',
    }),
    generation: f.int64(7, {
      doc: 'Sequence number of the desired state, which each change of it increases.',
    }),
    creationTimestamp: f.time(8, {
      doc: 'CreationTimestamp is a timestamp of the server: the time at which it stored the new object.',
      presence: 'always',
      omittedSince: '1.34',
    }),
    deletionTimestamp: f.time(9, {
      doc: 'When the object is deleted at the latest, apart from finalizers. Set by a delete request.',
      presence: 'pointer',
    }),
    deletionGracePeriodSeconds: f.int64(10, {
      doc: 'Seconds for graceful termination after the deletion was requested.',
      presence: 'pointer',
    }),
    labels: f.map(11, items.string, { doc: 'Keys and values that selectors match.' }),
    annotations: f.map(12, items.string, {
      doc: 'Keys and values for tools and people; nothing selects by them.',
    }),
    ownerReferences: f.list(13, OwnerReference, {
      doc: 'Objects that this one belongs to. At most one of them is its controller.',
      patchStrategy: 'merge',
      patchMergeKey: 'uid',
    }),
    finalizers: f.list(14, items.string, {
      doc: 'Names of tasks that must be completed before the object is deleted; each component removes its own entry.',
      patchStrategy: 'merge',
    }),
    clusterName: f.string(15, { doc: 'Not used; always empty.', until: '1.25', deprecated: 'Not used.' }),
    managedFields: f.list(17, ManagedFieldsEntry, {
      doc: 'The managers, with the fields that each of them set, for server-side apply.',
    }),
  },
  { checks: [checkTemplateMetadata] },
);
