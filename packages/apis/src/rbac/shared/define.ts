import { defineResource, type ResourceDeclaration, strategyOf } from '../../define-resource.ts';
import type { KindVersion, ResourceType, Strategy } from '../../resource-type.ts';

/** All kinds of the group came and went together. */
export const versions = (
  schema: KindVersion['schema'],
  alpha: Required<Pick<KindVersion, 'schema' | 'lens'>>,
): readonly KindVersion[] => [
  { version: 'v1', schema, introduced: '1.8' },
  { version: 'v1beta1', schema, introduced: '1.6', deprecated: '1.17', removed: '1.22' },
  { version: 'v1alpha1', ...alpha, introduced: '1.5', deprecated: '1.17', removed: '1.23' },
];

export const define = (
  declared: Pick<ResourceDeclaration, 'resource' | 'kind' | 'namespaced' | 'versions' | 'table'>,
  rules: Pick<Strategy, 'validate'> = {},
): ResourceType =>
  defineResource({
    group: 'rbac',
    nameFormat: 'pathSegment',
    strategy: strategyOf({ createOnUpdate: true, ...rules }),
    ...declared,
  });
