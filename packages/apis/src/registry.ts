import { admissionregistrationGroup } from './admissionregistration/group.ts';
import { apiextensionsGroup } from './apiextensions/group.ts';
import { apiregistrationGroup } from './apiregistration/group.ts';
import { appsGroup } from './apps/group.ts';
import { auditregistrationGroup } from './auditregistration/group.ts';
import { authenticationGroup } from './authentication/group.ts';
import { authorizationGroup } from './authorization/group.ts';
import { autoscalingGroup } from './autoscaling/group.ts';
import { batchGroup } from './batch/group.ts';
import { certificatesGroup } from './certificates/group.ts';
import { coordinationGroup } from './coordination/group.ts';
import { coreGroup } from './core/group.ts';
import { discoveryGroup } from './discovery/group.ts';
import { eventsGroup } from './events/group.ts';
import { evictionsGroup } from './evictions/group.ts';
import { extensionsGroup } from './extensions/group.ts';
import { flowcontrolGroup } from './flowcontrol/group.ts';
import type { GroupDeclaration } from './group-declaration.ts';
import { internalGroup } from './internal/group.ts';
import type { KindDeclaration } from './kind-declaration.ts';
import { metaKinds } from './meta/group.ts';
import { networkingGroup } from './networking/group.ts';
import { nodeGroup } from './node/group.ts';
import { policyGroup } from './policy/group.ts';
import { rbacGroup } from './rbac/group.ts';
import { resourceGroup } from './resource/group.ts';
import type { KindVersion, ResourceType } from './resource-type.ts';
import { schedulingGroup } from './scheduling/group.ts';
import { settingsGroup } from './settings/group.ts';
import { storageGroup } from './storage/group.ts';
import { storagemigrationGroup } from './storagemigration/group.ts';

/** Every built-in API group. */
export const builtinGroups: readonly GroupDeclaration[] = [
  coreGroup,
  appsGroup,
  autoscalingGroup,
  batchGroup,
  coordinationGroup,
  admissionregistrationGroup,
  apiextensionsGroup,
  apiregistrationGroup,
  auditregistrationGroup,
  authenticationGroup,
  authorizationGroup,
  certificatesGroup,
  discoveryGroup,
  flowcontrolGroup,
  internalGroup,
  networkingGroup,
  nodeGroup,
  policyGroup,
  rbacGroup,
  resourceGroup,
  schedulingGroup,
  settingsGroup,
  storageGroup,
  storagemigrationGroup,
  evictionsGroup,
  eventsGroup,
  extensionsGroup,
];

const groupsByKey: ReadonlyMap<string, GroupDeclaration> = new Map(
  builtinGroups.map((group) => [group.key, group]),
);

/** The built-in group with a key; undefined for the group of a custom resource. */
export const findGroup = (key: string): GroupDeclaration | undefined => groupsByKey.get(key);

/** Every built-in resource, by group and then by name, in discovery order. */
export const builtinTypes: readonly ResourceType[] = builtinGroups.flatMap(({ types }) => types);

/**
 * Kinds without a resource: bodies of subresources and of requests, query options, responses. The shared ones
 * (DeleteOptions, Status, Table, …) are in the group `meta`; requests name them with the group version they are sent
 * to, or with `v1`.
 */
export const auxiliaryKinds: readonly KindDeclaration[] = [
  ...metaKinds,
  ...builtinGroups.flatMap(({ kinds = [] }) => kinds),
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

/** The resource of a kind, including virtual ones such as bindings. */
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
