import { admissionregistrationTypes } from './admissionregistration/group.ts';
import { apiextensionsTypes } from './apiextensions/group.ts';
import { apiregistrationTypes } from './apiregistration/group.ts';
import { appsKinds, appsTypes } from './apps/group.ts';
import { auditregistrationTypes } from './auditregistration/group.ts';
import { authenticationKinds, authenticationTypes } from './authentication/group.ts';
import { authorizationTypes } from './authorization/group.ts';
import { autoscalingKinds, autoscalingTypes } from './autoscaling/group.ts';
import { batchKinds, batchTypes } from './batch/group.ts';
import { certificatesTypes } from './certificates/group.ts';
import { coordinationTypes } from './coordination/group.ts';
import { coreKinds, coreTypes } from './core/group.ts';
import { discoveryTypes } from './discovery/group.ts';
import { flowcontrolTypes } from './flowcontrol/group.ts';
import { internalTypes } from './internal/group.ts';
import type { KindDeclaration } from './kind-declaration.ts';
import { metaKinds } from './meta/group.ts';
import { networkingTypes } from './networking/group.ts';
import { nodeTypes } from './node/group.ts';
import { policyKinds, policyTypes } from './policy/group.ts';
import { rbacTypes } from './rbac/group.ts';
import { resourceTypes } from './resource/group.ts';
import type { KindVersion, ResourceType } from './resource-type.ts';
import { schedulingTypes } from './scheduling/group.ts';
import { settingsTypes } from './settings/group.ts';
import { storageTypes } from './storage/group.ts';
import { storagemigrationTypes } from './storagemigration/group.ts';

/** Every built-in resource, by group and then by name, in discovery order. */
export const builtinTypes: readonly ResourceType[] = [
  ...coreTypes,
  ...appsTypes,
  ...autoscalingTypes,
  ...batchTypes,
  ...coordinationTypes,
  ...admissionregistrationTypes,
  ...apiextensionsTypes,
  ...apiregistrationTypes,
  ...auditregistrationTypes,
  ...authenticationTypes,
  ...authorizationTypes,
  ...certificatesTypes,
  ...discoveryTypes,
  ...flowcontrolTypes,
  ...internalTypes,
  ...networkingTypes,
  ...nodeTypes,
  ...policyTypes,
  ...rbacTypes,
  ...resourceTypes,
  ...schedulingTypes,
  ...settingsTypes,
  ...storageTypes,
  ...storagemigrationTypes,
];

/**
 * Kinds without a resource: bodies of subresources and of requests, query options, responses.
 * The shared ones (DeleteOptions, Status, Table, …) stand under group `meta`; requests name them with the group
 * version they are sent to, or with `v1`.
 */
export const auxiliaryKinds: readonly KindDeclaration[] = [
  ...coreKinds,
  ...metaKinds,
  ...appsKinds,
  ...batchKinds,
  ...autoscalingKinds,
  ...authenticationKinds,
  ...policyKinds,
];

/** All kinds of `types` in all their versions, and the auxiliary ones. */
export const kindsOf = (types: readonly ResourceType[] = builtinTypes): readonly KindDeclaration[] => [
  ...types.flatMap(({ group, kind, versions }) =>
    versions.map(({ group: own = group, version, schema, differs }) => ({
      group: own,
      version,
      kind: differs?.kind ?? kind,
      schema,
    })),
  ),
  ...auxiliaryKinds,
];

/** The resource `resource` of `group`, in any version. */
export const findType = (
  group: string,
  resource: string,
  types: readonly ResourceType[] = builtinTypes,
): ResourceType | undefined => types.find((type) => type.group === group && type.resource === resource);

/** The resource that holds objects of a kind; bindings and the like are found too. */
export const findTypeOfKind = (
  group: string,
  version: string,
  kind: string,
  types: readonly ResourceType[] = builtinTypes,
): ResourceType | undefined =>
  types.find((type) => {
    const served = versionOf(type, group, version);
    return served !== undefined && (served.differs?.kind ?? type.kind) === kind;
  });

const versionOf = (type: ResourceType, group: string, version: string): KindVersion | undefined =>
  type.versions.find((one) => one.version === version && (one.group ?? type.group) === group);

/** The schema of a kind: of a resource, of a subresource body, or of a request option. */
export function findKind(group: string, version: string, kind: string): KindDeclaration | undefined {
  const type = findTypeOfKind(group, version, kind);
  const served = type === undefined ? undefined : versionOf(type, group, version);
  if (served !== undefined) return { group, version, kind, schema: served.schema };
  return auxiliaryKinds.find((one) => one.group === group && one.version === version && one.kind === kind);
}
