import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pod } from '@orch/registry/testing';
import { openConnected } from '../testing/connect-fixture.ts';

const pods = '/api/v1/namespaces/default/pods';

it('a connection needs an existing object, and a pod with an existing node, but the log of one without a node is empty', async () => {
  await using api = await openConnected();
  await api.post(pods, pod('p'));
  await api.post(pods, pod('q', { nodeName: 'n' }));
  for (const [method, path, code] of [
    ['GET', `${pods}/none/log`, 404],
    ['GET', `${pods}/p/log`, 204],
    ['GET', `${pods}/q/log`, 404],
    ['POST', `${pods}/p/exec`, 400],
    ['GET', '/api/v1/nodes/none/proxy/metrics', 404],
  ] as const) {
    assert.equal((await api.send(method, path)).status, code, `${method} ${path}`);
  }
});
