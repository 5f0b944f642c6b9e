import { f, items, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { checkServerVersion, checkVersionStatus } from './validation.ts';

/** Required in the published schema of later releases. */
const requiredLater = { since: '1.36', is: true } as const;

const ServerStorageVersion = struct(
  'apiserverinternal.v1alpha1.ServerStorageVersion',
  'Versions in which one server writes and reads the objects of a resource.',
  {
    apiServerID: f.string(1, { doc: 'ID of the server.', openapiRequired: requiredLater }),
    encodingVersion: f.string(2, { doc: 'Version in which it writes them.', openapiRequired: requiredLater }),
    decodableVersions: f.list(3, items.string, {
      doc: 'Versions that it can read; the one that it writes is among them.',
      listType: 'set',
      openapiRequired: requiredLater,
    }),
    servedVersions: f.list(4, items.string, {
      doc: 'Versions that it serves; it can read each of them.',
      listType: 'set',
      since: '1.28',
    }),
  },
  { checks: [checkServerVersion] },
);

const StorageVersionCondition = struct(
  'apiserverinternal.v1alpha1.StorageVersionCondition',
  'One aspect of the agreement of the servers.',
  {
    type: f.string(1, {
      doc: 'Type of the condition.',
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
      doc: 'Machine-readable reason, in CamelCase.',
      presence: 'always',
      required: true,
    }),
    message: f.string(6, {
      doc: 'Human-readable details.',
      required: true,
      openapiRequired: { since: '1.30', is: true },
    }),
  },
);

const StorageVersionSpec = struct(
  'apiserverinternal.v1alpha1.StorageVersionSpec',
  'Nothing: all is in the status.',
  {},
);

const StorageVersionStatus = struct(
  'apiserverinternal.v1alpha1.StorageVersionStatus',
  'Versions in which each server stores the objects of a resource.',
  {
    storageVersions: f.list(1, ServerStorageVersion, {
      doc: 'One entry for each server.',
      listType: 'map',
      mapKeys: ['apiServerID'],
    }),
    commonEncodingVersion: f.string(2, {
      doc: 'Version in which all servers write; absent while it differs.',
      presence: 'pointer',
    }),
    conditions: f.list(3, StorageVersionCondition, {
      doc: 'Observations about the object, one entry per type.',
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
    metadata: { ...metadataField, openapiRequired: requiredLater },
    spec: f.struct(2, StorageVersionSpec, {
      doc: 'Always empty.',
      presence: 'always',
      openapiRequired: { since: '1.36', is: false },
    }),
    status: f.struct(3, StorageVersionStatus, {
      doc: 'Most recently observed state of the object; written by the system.',
      presence: 'always',
      openapiRequired: { since: '1.36', is: false },
    }),
  },
  { typeMeta: true },
);
