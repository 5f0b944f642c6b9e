import { f, type StructSchema, struct } from '@orch/schema';
import { metadataField } from '../../../meta/standard-fields.ts';
import { driverName } from '../../../validation-rules.ts';
import { ResourceClaimConsumerReference, ResourceClaimParametersReference } from './references.ts';

export const ResourceClaimSpec = struct(
  'resource.v1alpha2.ResourceClaimSpec',
  'The claimed resource, and when it is allocated. It cannot change later.',
  {
    resourceClassName: f.string(1, {
      doc: 'Class of the resource.',
      presence: 'always',
      emptyIsInvalid: true,
      format: 'dns1123subdomain',
    }),
    parametersRef: f.struct(2, ResourceClaimParametersReference, {
      doc: 'Object with the parameters for the driver.',
      presence: 'pointer',
    }),
    allocationMode: f.string(3, {
      doc: 'Immediate, or WaitForFirstConsumer, when a pod needs it.',
      default: 'WaitForFirstConsumer',
      enum: ['Immediate', 'WaitForFirstConsumer'],
      openapiEnum: 'never',
    }),
  },
);

const MAX_CONSUMERS = 32;

const statusOf = (version: string, allocation: StructSchema): StructSchema =>
  struct(
    `resource.${version}.ResourceClaimStatus`,
    'Allocation of a claim, and its consumers.',
    {
      driverName: f.string(1, { doc: 'Driver that allocated the claim.' }),
      allocation: f.struct(2, allocation, {
        doc: 'The allocation; absent while there is none. It cannot change until it is released.',
        presence: 'pointer',
      }),
      reservedFor: f.list(3, ResourceClaimConsumerReference, {
        doc: 'Consumers that may use it now, usually a pod. No further consumer may be added while a deallocation is requested.',
        listType: 'map',
        mapKeys: ['uid'],
        patchStrategy: 'merge',
        patchMergeKey: 'uid',
        maxItems: MAX_CONSUMERS,
        uniqueBy: 'uid',
      }),
      deallocationRequested: f.bool(4, {
        doc: 'Requests that the driver releases the allocation, and prevents further consumers.',
      }),
    },
    { checks: [driverName('driverName')] },
  );

/** The kind in one version; versions differ in the allocation. */
export const resourceClaimOf = (version: string, allocation: StructSchema): StructSchema =>
  struct(
    `resource.${version}.ResourceClaim`,
    'A claim of one user on a resource, which exists as long as it is needed.',
    {
      metadata: metadataField,
      spec: f.struct(2, ResourceClaimSpec, {
        doc: 'Desired state of the object.',
        presence: 'always',
        openapiRequired: true,
      }),
      status: f.struct(3, statusOf(version, allocation), {
        doc: 'Most recently observed state of the object; written by the system.',
        presence: 'always',
      }),
    },
    { typeMeta: true },
  );
