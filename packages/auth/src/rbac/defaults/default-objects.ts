import type { ClusterRole, ClusterRoleBinding, Subject } from '@orch/kinds/rbac';
import type { Names, ObjectMeta } from '@orch/machinery';
import type { PolicyRule } from '../policy-rule.ts';
import { componentRoles } from './component-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import {
  type DeclaredRole,
  type DeclaredRule,
  type DeclaredSubject,
  type EmulatedRelease,
  isIn,
  ruleOf,
} from './declare.ts';
import { namespacedRoles } from './namespaced-roles.ts';
import { type DefaultRbacOptions, userRoles } from './user-roles.ts';

/** A role or binding, of a namespace or of the cluster. */
export type RoleOrBinding = ClusterRole & ClusterRoleBinding;

/** A role or binding that every cluster has, in the hub version of its kind. */
export interface DefaultRbacObject {
  readonly resource: 'clusterroles' | 'clusterrolebindings' | 'roles' | 'rolebindings';
  /** Empty for what belongs to the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly content: RoleOrBinding;
}

/** The default roles and bindings (access-control document, 5.13), roles before bindings. */
export function defaultRbacObjects(names: Names, options: DefaultRbacOptions): readonly DefaultRbacObject[] {
  const declared = [
    ...userRoles(names, options),
    ...componentRoles(names),
    ...controllerRoles(names, options),
    ...namespacedRoles(names),
  ]
    .filter((role) => isIn(role, options))
    .map((role) => roleIn(role, options));
  return [
    ...declared.map((role) => roleObject(role, names)),
    ...declared.flatMap((role) => bindingObject(role, names)),
  ];
}

/** A role with the rules and subjects that it has in the emulated release. */
const roleIn = ({ rules, boundTo, ...role }: DeclaredRole, release: EmulatedRelease): DeclaredRole => ({
  ...role,
  ...(rules && { rules: rules.filter((rule) => isIn(rule, release)) }),
  ...(boundTo && { boundTo: boundTo.filter((subject) => isIn(subject, release)) }),
});

function metadataOf(names: Names, partOf?: string): ObjectMeta {
  return {
    labels: {
      [names.labels.bootstrapping]: 'rbac-defaults',
      ...(partOf === undefined ? {} : { [partOf]: 'true' }),
    },
    annotations: { [names.annotations.rbacAutoupdate]: 'true' },
  };
}

function roleObject(role: DeclaredRole, names: Names): DefaultRbacObject {
  const { name, namespace = '', rules = [], madeOf, partOf } = role;
  return {
    resource: namespace === '' ? 'clusterroles' : 'roles',
    namespace,
    name,
    content: {
      kind: namespace === '' ? 'ClusterRole' : 'Role',
      apiVersion: names.apiVersion('rbac', 'v1'),
      metadata: metadataOf(names, partOf),
      rules: madeOf === undefined ? rules.map((rule) => storedRule(rule, names)) : null,
      ...(madeOf === undefined
        ? {}
        : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [madeOf]: 'true' } }] } }),
    },
  };
}

/** Empty fields are left out. */
function storedRule(declared: DeclaredRule, names: Names): Partial<PolicyRule> {
  const entries = Object.entries(ruleOf(declared, names)) as [string, readonly string[]][];
  return Object.fromEntries(entries.filter(([, words]) => words.length > 0));
}

function bindingObject(role: DeclaredRole, names: Names): readonly DefaultRbacObject[] {
  const { name, namespace = '', boundTo, bindingName = name } = role;
  if (boundTo === undefined) return [];
  const kind = namespace === '' ? 'ClusterRole' : 'Role';
  const content: ClusterRoleBinding = {
    kind: `${kind}Binding`,
    apiVersion: names.apiVersion('rbac', 'v1'),
    metadata: metadataOf(names),
    ...(boundTo.length === 0 ? {} : { subjects: boundTo.map((subject) => subjectObject(subject, names)) }),
    roleRef: { apiGroup: names.group('rbac'), kind, name },
  };
  const resource = namespace === '' ? 'clusterrolebindings' : 'rolebindings';
  return [{ resource, namespace, name: bindingName, content }];
}

const subjectObject = ({ kind, name }: DeclaredSubject, names: Names): Subject =>
  kind === 'ServiceAccount'
    ? { kind, name, namespace: names.namespaces.system }
    : { kind, apiGroup: names.group('rbac'), name };
