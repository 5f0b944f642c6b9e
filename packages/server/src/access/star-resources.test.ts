import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Naming, namings } from '@orch/machinery';
import type { Answered, RequestParts } from '@orch/registry/testing';
import { type ApiFixture, openWithRbac } from '../testing/index.ts';

const root: RequestParts = { headers: { 'x-user': 'root', 'x-groups': 'system:masters' } };
const jane: RequestParts = { headers: { 'x-user': 'jane', 'x-groups': 'system:authenticated' } };
const apps = '/apis/apps/v1/namespaces/default/deployments';

function expectCode(code: number, answered: Answered): Answered {
  assert.equal(answered.status, code, answered.text);
  return answered;
}

const deployment = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

/** Jane has all verbs on the resources of the group `apps` that match one pattern, and may create roles. */
async function openFor(
  naming: Naming,
  word: string,
): Promise<{ readonly api: ApiFixture; readonly rbac: string }> {
  const api = await openWithRbac({ naming });
  const apiGroup = api.names.group('rbac');
  const rbac = `/apis/${apiGroup}/v1/namespaces/default`;
  const rules = [
    { verbs: ['*'], apiGroups: ['apps'], resources: [word] },
    { verbs: ['create'], apiGroups: [apiGroup], resources: ['roles'] },
  ];
  expectCode(201, await api.post(`${rbac}/roles`, { metadata: { name: 'jane' }, rules }, root));
  const roleRef = { apiGroup, kind: 'Role', name: 'jane' };
  const subjects = [{ kind: 'User', apiGroup, name: 'jane' }];
  const binding = { metadata: { name: 'jane' }, roleRef, subjects };
  expectCode(201, await api.post(`${rbac}/rolebindings`, binding, root));
  expectCode(201, await api.post(apps, deployment, root));
  await api.settled();
  return { api, rbac };
}

async function mayReview(api: ApiFixture, resource: string, subresource: string): Promise<boolean> {
  const path = `/apis/${api.names.group('authorization')}/v1/selfsubjectaccessreviews`;
  const resourceAttributes = { verb: 'update', group: 'apps', resource, subresource, namespace: 'default' };
  const { json } = expectCode(201, await api.post(path, { spec: { resourceAttributes } }, jane));
  return json.status.allowed;
}

/** The requests that each pattern matches: for the object, its status, its scale. */
const words: readonly (readonly [word: string, object: boolean, status: boolean, scale: boolean])[] = [
  ['*', true, true, true],
  ['*/*', true, true, true],
  ['deployments', true, false, false],
  ['deployments/*', false, true, true],
  ['*/status', false, true, false],
  ['deployments/scale', false, false, true],
];

for (const naming of namings) {
  describe(`wildcard resources in rules, with ${naming} names`, () => {
    for (const [word, object, status, scale] of words) {
      it(`requests, access reviews and the escalation check agree on the pattern ${word}`, async () => {
        const { api, rbac } = await openFor(naming, word);
        await using _api = api;
        for (const [subresource, allowed] of [
          ['', object],
          ['status', status],
          ['scale', scale],
        ] as const) {
          const path = subresource === '' ? apps : `${apps}/d/${subresource}`;
          const target = subresource === '' ? `${apps}/d` : path;
          expectCode(allowed ? 200 : 403, await api.get(target, jane));
          expectCode(allowed ? 200 : 403, await api.patch(target, { metadata: {} }, 'merge', jane));
          assert.equal(await mayReview(api, 'deployments', subresource), allowed, subresource);
          const resources = [subresource === '' ? 'deployments' : `deployments/${subresource}`];
          const rules = [{ verbs: ['update'], apiGroups: ['apps'], resources }];
          const role = { metadata: { generateName: 'r-' }, rules };
          expectCode(allowed ? 201 : 403, await api.post(`${rbac}/roles`, role, jane));
        }
        expectCode(403, await api.get('/api/v1/namespaces/default/pods/p/status', jane));
      });
    }

    it('the patterns * and */* cover each other, and no narrower pattern covers */*', async () => {
      for (const [held, wanted, code] of [
        ['*', '*/*', 201],
        ['*/*', '*', 201],
        ['*', 'deployments/*', 201],
        ['deployments/*', '*', 403],
        ['*/status', '*/*', 403],
      ] as const) {
        const { api, rbac } = await openFor(naming, held);
        await using _api = api;
        const rules = [{ verbs: ['*'], apiGroups: ['apps'], resources: [wanted] }];
        expectCode(code, await api.post(`${rbac}/roles`, { metadata: { name: 'r' }, rules }, jane));
      }
    });

    it('the rules review lists the pattern * as written', async () => {
      const { api } = await openFor(naming, '*');
      await using _api = api;
      const path = `/apis/${api.names.group('authorization')}/v1/selfsubjectrulesreviews`;
      const { json } = expectCode(201, await api.post(path, { spec: { namespace: 'default' } }, jane));
      const ofApps = json.status.resourceRules.filter((rule: { apiGroups: string[] }) =>
        rule.apiGroups.includes('apps'),
      );
      assert.deepEqual(ofApps, [{ verbs: ['*'], apiGroups: ['apps'], resources: ['*'] }]);
    });
  });
}
