import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { customResourceDefinitionStrategy } from './strategy.ts';
import { customResourceDefinitionTable } from './table.ts';
import { CustomResourceDefinition } from './v1.ts';
import { customResourceDefinitionLens } from './v1beta1.lens.ts';
import { CustomResourceDefinitionV1Beta1 } from './v1beta1.ts';

export { isStructural, structuralProblems, unsupportedSchema } from './structural-problems.ts';
export { approvalOf } from './validation/api-approval.ts';

export const customResourceDefinitions: ResourceType = defineResource({
  group: 'apiextensions',
  resource: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  nameFormat: 'pathSegment',
  unqualifiedFinalizers: true,
  versions: [
    { version: 'v1', schema: CustomResourceDefinition, introduced: '1.16' },
    {
      version: 'v1beta1',
      schema: CustomResourceDefinitionV1Beta1,
      lens: customResourceDefinitionLens,
      introduced: '1.7',
      deprecated: '1.16',
      removed: '1.22',
    },
  ],
  table: customResourceDefinitionTable,
  strategy: customResourceDefinitionStrategy,
  subresources: [statusSubresource('CustomResourceDefinition', 'apiextensions')],
});
