import { f, lossless, type StructSchema, struct, within } from '@orch/schema';
import { metadataField, statusField } from '../../meta/standard-fields.ts';
import { ClaimSpec, ClaimSpecV1Beta1 } from '../shared/device-request/claim.ts';
import { requestLens } from '../shared/device-request/v1beta1.lens.ts';
import { ClaimStatus } from './status.ts';

const claimOf = (version: string, spec: StructSchema): StructSchema =>
  struct(
    `resource.${version}.ResourceClaim`,
    'A claim of one user on devices, which exists as long as they are needed.',
    {
      metadata: metadataField,
      spec: f.struct(2, spec, {
        doc: 'Requested devices; it cannot change later.',
        presence: 'always',
        openapiRequired: { since: '1.37', is: false },
        immutable: true,
        validatedOnCreate: { since: '1.35' },
      }),
      status: statusField(ClaimStatus),
    },
    { typeMeta: true },
  );

export const ResourceClaim = claimOf('v1', ClaimSpec);
export const ResourceClaimV1Beta1 = claimOf('v1beta1', ClaimSpecV1Beta1);

export const resourceClaimLens = lossless(within('spec.devices.requests[]', requestLens), {
  hub: ResourceClaim,
  older: ResourceClaimV1Beta1,
});
