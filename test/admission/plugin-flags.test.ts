import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { launchServer } from '@orch/testkit';
import { cms, configMap, expectCode, podObject, pods, refused } from '../api/fixture.ts';

const inMissingNamespace = '/api/v1/namespaces/none/configmaps';

describe('flags of admission plugins', { timeout: 120_000 }, () => {
  it('flags of another cluster start the server, and plugins without effect are reported', async () => {
    await using server = await launchServer({
      args: [
        '--emulated-version=1.27',
        '--enable-admission-plugins=NodeRestriction,PodSecurityPolicy,NodeRestriction,PodTopologyLabels',
        '--disable-admission-plugins=MutatingAdmissionPolicy',
      ],
    });
    await server.waitFor(
      /the admission plugin PodSecurityPolicy has no effect: it was removed in release 1\.25/,
      10_000,
    );
    await server.waitFor(/the admission plugin PodTopologyLabels has no effect in this server/, 10_000);
    refused(await server.client.post(inMissingNamespace, configMap('a')), 404, 'NotFound');
    expectCode(201, await server.client.post(cms, configMap('a')));
  });

  it('a server with the deprecated list of admission plugins runs only those, with a warning', async () => {
    await using server = await launchServer({
      requiresAccounts: true,
      args: ['--admission-control=AlwaysPullImages'],
    });
    await server.waitFor(/--admission-control is deprecated/, 10_000);
    expectCode(201, await server.client.post(inMissingNamespace, configMap('a')));
    const { text } = expectCode(201, await server.client.post(pods, podObject('p')));
    assert.match(text, /"imagePullPolicy":"Always"/);
  });
});
