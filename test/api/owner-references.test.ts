import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { ApiClient, type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';

const core = '/api/v1/namespaces/default';
const rbac = '/apis/rbac.authorization.orch.io/v1/namespaces/default';

describe('owner references, when the permission for them is enforced', { timeout: 60_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-owners-'));
  let server: LaunchedServer;
  let alice: ApiClient;
  let owner: object;

  before(async () => {
    writeFileSync(join(work, 'tokens'), 'hunter2,alice,1\n');
    server = await launchServer({
      args: [
        `--token-auth-file=${join(work, 'tokens')}`,
        '--authorization-mode=RBAC',
        '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
      ],
    });
    alice = new ApiClient({ ...server.config, cert: undefined, key: undefined, token: 'hunter2' });
    const answer = await server.client.post(`${core}/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'owner' },
    });
    const { uid } = (JSON.parse(answer.text) as ApiObject).metadata;
    owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true };
    const created = await server.client.post(`${rbac}/rolebindings`, {
      apiVersion: 'rbac.authorization.orch.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'alice' },
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'Role', name: 'alice' },
      subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'User', name: 'alice' }],
    });
    assert.equal(created.status, 201, created.text);
  });
  after(async () => {
    alice[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  async function granted(...rules: readonly object[]): Promise<void> {
    const role = {
      apiVersion: 'rbac.authorization.orch.io/v1',
      kind: 'Role',
      metadata: { name: 'alice' },
      rules,
    };
    const answer = await server.client.send('PATCH', `${rbac}/roles/alice?fieldManager=test&force=true`, {
      body: JSON.stringify(role),
      contentType: 'application/apply-patch+yaml',
    });
    assert.ok(answer.status < 300, answer.text);
  }
  const rule = (resource: string, ...verbs: string[]): object => ({
    apiGroups: [''],
    resources: [resource],
    verbs,
  });
  const create = (name: string): Promise<ApiResponse> =>
    alice.post(`${core}/secrets`, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, ownerReferences: [owner] },
    });

  it('setting owner references requires permission to delete the object, and to finalize an owner with blockOwnerDeletion', async () => {
    await granted(rule('secrets', 'create', 'patch'));
    const first = await create('s');
    assert.equal(first.status, 403);
    assert.match(
      first.text,
      /secrets \\"s\\" is forbidden: cannot set owner references on an object that you may not delete/,
    );

    await granted(rule('secrets', 'create', 'patch', 'delete'));
    const second = await create('s');
    assert.equal(second.status, 403);
    assert.match(second.text, /finalizers of configmaps \\"owner\\"/);

    await granted(rule('secrets', 'create', 'patch', 'delete'), rule('configmaps/finalizers', 'update'));
    const third = await create('s');
    assert.equal(third.status, 201, third.text);

    await granted(rule('secrets', 'create', 'patch'));
    const contentType = 'application/merge-patch+json';
    const patch = (body: object): Promise<ApiResponse> =>
      alice.send('PATCH', `${core}/secrets/s`, { body: JSON.stringify(body), contentType });
    const labelled = await patch({ metadata: { labels: { a: 'b' } } });
    assert.equal(labelled.status, 200, 'what does not touch them goes on');
    assert.equal((await patch({ metadata: { ownerReferences: null } })).status, 403);
  });
});
