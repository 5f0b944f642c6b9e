import assert from 'node:assert/strict';
import type { Answered, RegistryFixture, RequestParts } from '@orch/registry/testing';
import type { Cause } from '../answer/cause.ts';

/** Requests of a user without groups besides that of all users. */
export const as = (user: string): RequestParts => ({
  headers: { 'x-user': user, 'x-groups': 'system:authenticated' },
});

export const root: RequestParts = { headers: { 'x-user': 'root', 'x-groups': 'system:masters' } };

/** The causes of an answer. */
export function causesOf({ status, text, json }: Answered): readonly Cause[] {
  assert.equal(status, 200, text);
  assert.equal(json.kind, 'Explanation');
  return json.causes;
}

/** One line for each cause. */
export const textsOf = (answer: Answered): string =>
  causesOf(answer)
    .map(({ type, message }) => `${type}: ${message}`)
    .join('\n');

type FixtureApi = Pick<RegistryFixture, 'names' | 'post' | 'settled'>;

export interface BoundRole {
  readonly role: string;
  readonly user: string;
  /** Empty for a role that exists. */
  readonly rules: readonly object[];
  /** In the namespace default otherwise. */
  readonly isClusterWide?: boolean;
}

/** Creates a cluster role and grants it to a user. */
export async function bindRole(
  api: FixtureApi,
  { role, user, rules, isClusterWide = false }: BoundRole,
): Promise<void> {
  const group = api.names.group('rbac');
  if (rules.length > 0)
    await created(api, `/apis/${group}/v1/clusterroles`, { metadata: { name: role }, rules });
  const path = isClusterWide ? 'clusterrolebindings' : 'namespaces/default/rolebindings';
  await created(api, `/apis/${group}/v1/${path}`, {
    metadata: { name: `${role}-${user}` },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'User', apiGroup: group, name: user }],
  });
  await api.settled();
}

async function created(api: FixtureApi, path: string, body: object): Promise<void> {
  const { status, text } = await api.post(path, body, root);
  assert.equal(status, 201, text);
}
