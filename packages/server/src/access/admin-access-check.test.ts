import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answered } from '@orch/registry/testing';
import { ApiFixture } from '../testing/index.ts';

const label = 'resource.orch.io/admin-access';
const claims = '/apis/resource.orch.io/v1/namespaces/default/resourceclaims';
const templates = '/apis/resource.orch.io/v1/namespaces/default/resourceclaimtemplates';

const spec = (adminAccess?: boolean) => ({
  devices: {
    requests: [
      { name: 'a', exactly: { deviceClassName: 'gpu' } },
      {
        name: 'b',
        exactly: { deviceClassName: 'gpu', ...(adminAccess === undefined ? {} : { adminAccess }) },
      },
    ],
  },
});
const claim = (name: string, adminAccess?: boolean) => ({ metadata: { name }, spec: spec(adminAccess) });
const template = (name: string, adminAccess?: boolean) => ({
  metadata: { name },
  spec: { spec: spec(adminAccess) },
});
const allocation = (adminAccess?: boolean) => ({
  devices: {
    results: [
      { request: 'a', driver: 'd', pool: 'p', device: 'x' },
      { request: 'b', driver: 'd', pool: 'p', device: 'y', ...(adminAccess && { adminAccess }) },
    ],
  },
});

const labelled = (api: ApiFixture, value: string | null): Promise<Answered> =>
  api.patch('/api/v1/namespaces/default', { metadata: { labels: { [label]: value } } });

function refused({ status, json, text }: Answered, field: string): void {
  assert.equal(status, 422, text);
  assert.deepEqual(
    json.details.causes.map((cause: { field: string; reason: string }) => [cause.field, cause.reason]),
    [[field, 'FieldValueForbidden']],
  );
}

describe('administrative access to devices', () => {
  for (const [kind, path, objectOf] of [
    ['claim', claims, claim],
    ['template of claims', templates, template],
  ] as const) {
    it(`a ${kind} with administrative access is refused in a namespace without the label, also as a dry run`, async () => {
      await using api = await ApiFixture.open({ release: '1.34' });
      for (const query of ['', '?dryRun=All'])
        refused(
          await api.post(`${path}${query}`, objectOf('x', true)),
          'spec.devices.requests[1].adminAccess',
        );
      await labelled(api, 'false');
      refused(await api.post(path, objectOf('x', true)), 'spec.devices.requests[1].adminAccess');
    });

    it(`a ${kind} with administrative access is created in a namespace with the label`, async () => {
      await using api = await ApiFixture.open({ release: '1.34' });
      await labelled(api, 'true');
      assert.equal((await api.post(path, objectOf('x', true))).status, 201);
    });

    it(`a ${kind} without administrative access needs no label`, async () => {
      await using api = await ApiFixture.open({ release: '1.34' });
      for (const access of [undefined, false])
        assert.equal((await api.post(path, objectOf(`x-${access}`, access))).status, 201);
    });
  }

  it('an allocation with administrative access needs the label, and later updates of the status do not', async () => {
    await using api = await ApiFixture.open({ release: '1.34' });
    assert.equal((await api.post(claims, claim('x'))).status, 201);
    const status = (adminAccess: boolean, more: object = {}) =>
      api.patch(`${claims}/x/status`, { status: { allocation: allocation(adminAccess), ...more } });
    refused(await status(true), 'status.allocation.devices.results[1].adminAccess');
    await labelled(api, 'true');
    const allocated = await status(true);
    assert.equal(allocated.status, 200, allocated.text);
    await labelled(api, null);
    const reserved = await status(true, { reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] });
    assert.equal(reserved.status, 200, reserved.text);
  });

  it('a release before 1.33 has no label for administrative access', async () => {
    await using api = await ApiFixture.open({
      release: '1.32',
      isEnabled: () => true,
      openGates: new Set(['DynamicResourceAllocation', 'DRAAdminAccess']),
    });
    const path = '/apis/resource.orch.io/v1beta1/namespaces/default/resourceclaims';
    const requests = [{ name: 'a', deviceClassName: 'gpu', adminAccess: true }];
    const answer = await api.post(path, { metadata: { name: 'x' }, spec: { devices: { requests } } });
    assert.equal(answer.status, 201, answer.text);
  });
});
