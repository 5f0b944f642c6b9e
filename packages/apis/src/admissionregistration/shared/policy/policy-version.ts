/** Versions of policies and their bindings. All have the same fields, regardless of the release. */
export type PolicyVersion = 'v1' | 'v1beta1' | 'v1alpha1';

/** The name of a struct of a version. */
export const structName = (version: PolicyVersion, name: string): string =>
  `admissionregistration.${version}.${name}`;

/**
 * Reports whether clients of a version know the fields that its first releases did not have, and must therefore send
 * them.
 */
export const knowsAllFields = (version: PolicyVersion): boolean => version !== 'v1alpha1';
