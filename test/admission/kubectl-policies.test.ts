import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@orch/machinery/testing';
import { findKubectls, type LaunchedServer, launchServer, temporaryFolder } from '@orch/testkit';
import { KubectlSession } from '../conformance/kubectl-session.ts';
import { servesPolicies } from './policies.ts';

const kubectls = await findKubectls(join(import.meta.dirname, '..', '..'));

const apiVersion = 'admissionregistration.k8s.io/v1';

const policyAndBinding = (name: string, actions: readonly string[]): object => ({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
          ],
          objectSelector: { matchLabels: { policy: name } },
        },
        variables: [{ name: 'size', expression: 'object.data.size()' }],
        validations: [
          {
            expression: 'variables.size < 2',
            messageExpression: "'has ' + string(variables.size) + ' keys'",
          },
        ],
      },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: actions },
    },
  ],
});

const configMap = (name: string, policy: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { policy } },
  data: { a: '1', b: '2' },
});

for (const kubectl of kubectls.slice(-1))
  describe(`admission policies with kubectl ${kubectl.release}`, { timeout: 120_000 }, () => {
    const home = temporaryFolder();
    let server: LaunchedServer;
    let session: KubectlSession;
    before(async () => {
      server = await launchServer({ naming: 'kubernetes', args: [servesPolicies] });
      session = await KubectlSession.open(kubectl, server, home.path, 'policies');
    });
    after(async () => {
      await server[Symbol.asyncDispose]();
      home[Symbol.dispose]();
    });

    it(`kubectl ${kubectl.release} applies a policy, and shows its refusal and its warning`, async () => {
      await session.expect(0, ['apply', '-f', '-'], policyAndBinding('refuses', ['Deny']));
      await session.expect(0, ['apply', '-f', '-'], policyAndBinding('warns', ['Warn']));
      const refused = await eventually(
        () => session.raw(['create', '--dry-run=server', '-f', '-'], configMap('a', 'refuses')),
        ({ code }) => code !== 0,
      );
      assert.match(
        refused.stderr,
        /is invalid: : ValidatingAdmissionPolicy 'refuses' with binding 'refuses' denied request: has 2 keys/,
      );
      const warned = await eventually(
        () => session.expect(0, ['create', '--dry-run=server', '-f', '-'], configMap('a', 'warns')),
        ({ stderr }) => stderr !== '',
      );
      assert.equal(
        warned.stderr,
        "Warning: Validation failed for ValidatingAdmissionPolicy 'warns' with binding 'warns': has 2 keys\n",
      );
    });

    it(`kubectl ${kubectl.release} shows the warnings of the type check in the status of a policy`, async () => {
      const misspelt = {
        apiVersion,
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'misspelt' },
        spec: {
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['apps'],
                apiVersions: ['v1'],
                operations: ['CREATE'],
                resources: ['deployments'],
              },
            ],
          },
          validations: [{ expression: 'object.spec.replcas <= 5' }],
        },
      };
      await session.expect(0, ['apply', '-f', '-'], misspelt);
      const described = await eventually(
        () => session.ok('describe', 'validatingadmissionpolicy/misspelt'),
        (text) => text.includes('Observed Generation'),
      );
      assert.match(described, /Field Ref: +spec\.validations\[0\]\.expression/);
      assert.match(described, /apps\/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replcas'/);
      const yaml = await session.ok('get', 'validatingadmissionpolicy/misspelt', '-o', 'yaml');
      assert.match(
        yaml,
        /expressionWarnings:\n +- fieldRef: spec\.validations\[0\]\.expression\n +warning: \|-?\n/,
      );
      await session.ok('delete', 'validatingadmissionpolicy/misspelt');
    });

    it(`kubectl ${kubectl.release} lists policies and bindings, and deletes them`, async () => {
      const table = await session.ok('get', 'validatingadmissionpolicies,validatingadmissionpolicybindings');
      assert.match(table, /validatingadmissionpolicy\.admissionregistration\.k8s\.io\/refuses +1 +<unset>/);
      assert.match(
        table,
        /validatingadmissionpolicybinding\.admissionregistration\.k8s\.io\/refuses +refuses +<unset>/,
      );
      await session.ok(
        'delete',
        'validatingadmissionpolicy/refuses',
        'validatingadmissionpolicybinding/refuses',
      );
      await eventually(
        () => session.raw(['create', '--dry-run=server', '-f', '-'], configMap('a', 'refuses')),
        ({ code }) => code === 0,
      );
    });
  });

if (kubectls.length === 0)
  describe('admission policies with kubectl', () => {
    it.skip('kubectl applies admission policies: no kubectl on this machine', () => {});
  });
