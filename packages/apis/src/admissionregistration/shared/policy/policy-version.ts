import type { FieldOptions } from '@orch/schema';

/** Versions of policies and their bindings. All have the same fields. */
export type PolicyVersion = 'v1' | 'v1beta1' | 'v1alpha1';

/** The name of a struct of a version. */
export const structName = (version: PolicyVersion, name: string): string =>
  `admissionregistration.${version}.${name}`;

/** The release from which the oldest version has a field; the others have it from the beginning. */
export const lifeIn = (version: PolicyVersion, since: string): Pick<FieldOptions, 'since'> =>
  version === 'v1alpha1' ? { since } : {};
