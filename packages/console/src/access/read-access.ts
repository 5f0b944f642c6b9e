import type { Names } from '@orch/machinery';
import { asObject, asObjects, asStrings, type JsonObject } from '@orch/machinery/json';
import type { Connection } from '../api/connection.ts';
import type { RoleObjects } from './who-can.ts';

/** Where permissions are read. */
export interface AccessReader {
  readonly connection: Connection;
  readonly names: Names;
  /** Empty for the cluster. */
  readonly namespace: string;
}

/** A rule that applies to the user. */
export interface OwnRule {
  readonly verbs: readonly string[];
  /** Resources with their groups, or paths. */
  readonly objects: readonly string[];
  readonly resourceNames: readonly string[];
}

/** The rules that apply to the user in a namespace, as the authorizers know them; `isIncomplete`: there are others. */
export async function readOwnRules(
  { connection, names, namespace }: AccessReader,
  signal: AbortSignal,
): Promise<{ readonly rules: readonly OwnRule[]; readonly isIncomplete: boolean }> {
  const apiVersion = names.apiVersion('authorization', 'v1');
  const review = { apiVersion, kind: 'SelfSubjectRulesReview', spec: { namespace: namespace || 'default' } };
  const request = { method: 'POST', contentType: 'application/json', body: JSON.stringify(review) };
  const target = `/apis/${apiVersion}/selfsubjectrulesreviews`;
  const status = asObject(asObject(await connection.json({ ...request, target }, signal))['status']);
  const rules = [
    ...asObjects(status['resourceRules']).map(resourceRule),
    ...asObjects(status['nonResourceRules']).map(pathRule),
  ];
  return { rules, isIncomplete: status['incomplete'] === true };
}

const resourceRule = (rule: JsonObject): OwnRule => ({
  verbs: asStrings(rule['verbs']),
  objects: asStrings(rule['apiGroups']).flatMap((group) =>
    asStrings(rule['resources']).map((resource) => (group === '' ? resource : `${resource}.${group}`)),
  ),
  resourceNames: asStrings(rule['resourceNames']),
});

const pathRule = (rule: JsonObject): OwnRule => ({
  verbs: asStrings(rule['verbs']),
  objects: asStrings(rule['nonResourceURLs']),
  resourceNames: [],
});

/** The roles and bindings of the cluster and of a namespace. Rejects for a user who may not list them. */
export async function readRoles(reader: AccessReader, signal: AbortSignal): Promise<RoleObjects> {
  const { connection, names, namespace } = reader;
  const base = `/apis/${names.apiVersion('rbac', 'v1')}`;
  const own = `${base}/namespaces/${encodeURIComponent(namespace)}`;
  const read = async (target: string, kind: string): Promise<readonly JsonObject[]> => {
    const { items } = asObject(await connection.json({ target }, signal));
    return asObjects(items).map((item) => ({ ...item, kind }));
  };
  const reads = [
    [read(`${base}/clusterroles`, 'ClusterRole'), read(`${base}/clusterrolebindings`, 'ClusterRoleBinding')],
    ...(namespace === '' ? [] : [[read(`${own}/roles`, 'Role'), read(`${own}/rolebindings`, 'RoleBinding')]]),
  ] as const;
  const [roles, bindings] = await Promise.all(
    [0, 1].map((place) => Promise.all(reads.flatMap((pair) => pair[place] ?? []))),
  );
  return { roles: (roles ?? []).flat(), bindings: (bindings ?? []).flat() };
}
