import { builtinTypes, type ResourceType } from '@orch/apis';

/** The built-in kinds of some resources, for a fixture that serves no others. */
export const kindsOf = (resources: readonly string[]): readonly ResourceType[] =>
  builtinTypes.filter(({ resource }) => resources.includes(resource));
