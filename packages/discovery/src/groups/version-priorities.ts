/**
 * Where versions stand within their group, the higher the earlier (facts: resources). Groups by their keys of the names
 * table. The group of API services itself is not registered by one.
 */
const versionPriorities: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '': { v1: 1 },
  admissionregistration: { v1: 15, v1beta1: 12, v1alpha1: 9 },
  apiextensions: { v1: 15, v1beta1: 9 },
  apps: { v1: 15, v1beta1: 1, v1beta2: 9 },
  auditregistration: { v1alpha1: 1 },
  authentication: { v1: 15, v1beta1: 9, v1alpha1: 1 },
  authorization: { v1: 15, v1beta1: 9 },
  autoscaling: { v1: 15, v2: 30, v2beta1: 9, v2beta2: 1 },
  batch: { v1: 15, v1beta1: 9, v2alpha1: 9 },
  certificates: { v1: 15, v1beta1: 9, v1alpha1: 1 },
  coordination: { v1: 15, v1beta1: 9 },
  discovery: { v1: 15, v1beta1: 12, v1alpha1: 9 },
  events: { v1: 15, v1beta1: 5 },
  extensions: { v1beta1: 1 },
  flowcontrol: { v1alpha1: 9, v1beta1: 12, v1beta2: 15, v1beta3: 18 },
  apiserverinternal: { v1alpha1: 9 },
  networking: { v1: 15, v1beta1: 9, v1alpha1: 1 },
  node: { v1: 15, v1beta1: 9, v1alpha1: 1 },
  policy: { v1: 15, v1beta1: 9 },
  rbac: { v1: 15, v1beta1: 12, v1alpha1: 9 },
  resource: { v1alpha1: 9, v1alpha2: 9 },
  scheduling: { v1: 15, v1beta1: 12, v1alpha1: 9 },
  settings: { v1alpha1: 9 },
  storage: { v1: 15, v1beta1: 9, v1alpha1: 1 },
  storagemigration: { v1beta1: 9, v1alpha1: 9 },
};

/** Undefined for a version that no API service registers. */
export const versionPriority = (group: string, version: string): number | undefined =>
  versionPriorities[group]?.[version];
