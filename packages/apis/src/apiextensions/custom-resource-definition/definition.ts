import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from '@orch/kinds/apiextensions';

/** Fields of definitions. */

export const versionsOf = (
  definition: Pick<CustomResourceDefinition, 'spec'>,
): readonly CustomResourceDefinitionVersion[] => definition.spec?.versions ?? [];

export const schemaOf = (version: CustomResourceDefinitionVersion): JSONSchemaProps | undefined =>
  version.schema?.openAPIV3Schema;

export const storedVersionsOf = (definition: CustomResourceDefinition): readonly string[] =>
  definition.status?.storedVersions ?? [];

/** Reports whether a condition of the definition is true. */
export const isCondition = (definition: CustomResourceDefinition, wanted: string): boolean =>
  (definition.status?.conditions ?? []).some(({ type, status }) => type === wanted && status === 'True');
