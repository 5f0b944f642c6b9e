import type * as resource from '@orch/kinds/resource';
import { f, lossless, type StructSchema, struct, within } from '@orch/schema';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import { onlyLabelled } from '../../meta/validation.ts';
import type { ResourceType } from '../../resource-type.ts';
import { ageCell, ageColumn, nameCell, nameColumn } from '../../table.ts';
import { ClaimSpec, ClaimSpecV1Beta1 } from '../shared/device-request/claim.ts';
import { requestLens } from '../shared/device-request/v1beta1.lens.ts';
import { earlierVersions } from '../shared/versions.ts';

const templateOf = (version: string, claim: StructSchema): StructSchema => {
  const spec = struct(
    `resource.${version}.ResourceClaimTemplateSpec`,
    'Metadata and specification of the claims.',
    {
      metadata: f.struct(1, ObjectMeta, {
        doc: 'Labels and annotations of the claims; other metadata is ignored.',
        presence: 'always',
      }),
      spec: f.struct(2, claim, {
        doc: 'Specification of the claims.',
        presence: 'always',
        openapiRequired: { since: '1.37', is: false },
      }),
    },
    { checks: [onlyLabelled('metadata')] },
  );
  return struct(
    `resource.${version}.ResourceClaimTemplate`,
    'Template of claims, one for each pod that refers to it.',
    {
      metadata: metadataField,
      spec: f.struct(2, spec, {
        doc: 'The template. It cannot change later.',
        presence: 'always',
        openapiRequired: { since: '1.37', is: false },
        immutable: true,
      }),
    },
    { typeMeta: true },
  );
};

export const ResourceClaimTemplate = templateOf('v1', ClaimSpec);
const ResourceClaimTemplateV1Beta1 = templateOf('v1beta1', ClaimSpecV1Beta1);

export const resourceClaimTemplates: ResourceType = defineResource({
  group: 'resource',
  resource: 'resourceclaimtemplates',
  kind: 'ResourceClaimTemplate',
  namespaced: true,
  versions: [
    { version: 'v1', schema: ResourceClaimTemplate, introduced: '1.34' },
    ...earlierVersions({
      v1beta2: ResourceClaimTemplate,
      v1beta1: ResourceClaimTemplateV1Beta1,
      lens: lossless(within('spec.spec.devices.requests[]', requestLens), {
        hub: ResourceClaimTemplate,
        older: ResourceClaimTemplateV1Beta1,
      }),
    }),
  ],
  table: {
    columns: [nameColumn, ageColumn],
    cells: (object) => [nameCell(object), ageCell(object)],
  },
  strategy: strategyOf<resource.ResourceClaimTemplate>({ deleteReturns: 'object' }),
});
