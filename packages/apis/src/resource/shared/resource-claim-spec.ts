import { f, type StructSchema, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { ResourceClaimConsumerReference, ResourceClaimParametersReference } from './references.ts';

export const ResourceClaimSpec = struct(
  'resource.v1alpha2.ResourceClaimSpec',
  'Which resource is claimed, and when it is allocated. It cannot change later.',
  {
    resourceClassName: f.string(1, {
      doc: 'Class of the resource.',
      presence: 'always',
      required: true,
      format: 'dns1123subdomain',
    }),
    parametersRef: f.struct(2, ResourceClaimParametersReference, {
      doc: 'Object with what the driver needs to know.',
      presence: 'pointer',
    }),
    allocationMode: f.string(3, {
      doc: 'Immediate, or WaitForFirstConsumer, when a pod needs it.',
      default: 'WaitForFirstConsumer',
      enum: ['Immediate', 'WaitForFirstConsumer'],
    }),
  },
);

const MAX_CONSUMERS = 32;

const statusOf = (version: string, allocation: StructSchema): StructSchema =>
  struct(`resource.${version}.ResourceClaimStatus`, 'Whether a claim was met, and who uses it.', {
    driverName: f.string(1, { doc: 'Driver that met the claim.', format: 'csiDriverName' }),
    allocation: f.struct(2, allocation, {
      doc: 'What was allocated; absent while nothing is. It cannot change until it is given back.',
      presence: 'pointer',
    }),
    reservedFor: f.list(3, ResourceClaimConsumerReference, {
      doc: 'Consumers that may use it now, usually a pod. No further consumer may be added while a deallocation is requested.',
      listType: 'map',
      mapKeys: ['uid'],
      maxItems: MAX_CONSUMERS,
      uniqueBy: 'uid',
    }),
    deallocationRequested: f.bool(4, {
      doc: 'Asks the driver to give the allocation back, and keeps others from using it.',
    }),
  });

/** The kind in one version; what is allocated differs between them. */
export const resourceClaimOf = (version: string, allocation: StructSchema): StructSchema =>
  struct(
    `resource.${version}.ResourceClaim`,
    'A claim of one user on a resource, which lives as long as the user needs it.',
    {
      metadata: f.struct(1, ObjectMeta, {
        doc: 'Name, labels and the other data that every object carries.',
        presence: 'always',
      }),
      spec: f.struct(2, ResourceClaimSpec, {
        doc: 'What its owner wants.',
        presence: 'always',
        openapiRequired: true,
      }),
      status: f.struct(3, statusOf(version, allocation), {
        doc: 'What was observed last; written by the system, never by the owner.',
        presence: 'always',
      }),
    },
    { typeMeta: true },
  );
