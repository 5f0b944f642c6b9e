import { f, items, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { checkServerVersion, checkVersionStatus } from './validation.ts';

export const ServerStorageVersion = struct(
  'apiserverinternal.v1alpha1.ServerStorageVersion',
  'What one server does with the objects of a resource.',
  {
    apiServerID: f.string(1, { doc: 'Which server.' }),
    encodingVersion: f.string(2, { doc: 'Version in which it writes them.' }),
    decodableVersions: f.list(3, items.string, {
      doc: 'Versions that it can read; the one that it writes is among them.',
      listType: 'set',
    }),
  },
  { checks: [checkServerVersion] },
);

export const StorageVersionCondition = struct(
  'apiserverinternal.v1alpha1.StorageVersionCondition',
  'One aspect of how the servers agree.',
  {
    type: f.string(1, {
      doc: 'Which aspect.',
      presence: 'always',
      required: true,
      format: 'qualifiedName',
    }),
    status: f.string(2, {
      doc: 'Whether it holds: True, False or Unknown.',
      presence: 'always',
      required: true,
      format: 'qualifiedName',
    }),
    observedGeneration: f.int64(3, {
      doc: 'Generation of the object that the condition was derived from.',
    }),
    lastTransitionTime: f.time(4, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(5, {
      doc: 'One CamelCase word for programs: why it is so.',
      presence: 'always',
      required: true,
    }),
    message: f.string(6, { doc: 'Details for people.', required: true }),
  },
);

export const StorageVersionSpec = struct(
  'apiserverinternal.v1alpha1.StorageVersionSpec',
  'Nothing: all is in the status.',
  {},
);

export const StorageVersionStatus = struct(
  'apiserverinternal.v1alpha1.StorageVersionStatus',
  'What all servers do with the objects of a resource.',
  {
    storageVersions: f.list(1, ServerStorageVersion, {
      doc: 'What each server does.',
      listType: 'map',
      mapKeys: ['apiServerID'],
    }),
    commonEncodingVersion: f.string(2, {
      doc: 'Version in which all of them write; absent while they do not agree.',
      presence: 'pointer',
    }),
    conditions: f.list(3, StorageVersionCondition, {
      doc: 'How they agree.',
      listType: 'map',
      mapKeys: ['type'],
      uniqueBy: 'type',
    }),
  },
  { checks: [checkVersionStatus] },
);

export const StorageVersion = struct(
  'apiserverinternal.v1alpha1.StorageVersion',
  'The versions in which servers store the objects of one resource. Its name is `group.resource`.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, StorageVersionSpec, {
      doc: 'Always empty.',
      presence: 'always',
      openapiRequired: true,
    }),
    status: f.struct(3, StorageVersionStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
  { typeMeta: true },
);
