import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { type ApiResponse, launchServer } from '@orch/testkit';
import { cms, configMap, expectCode, item } from '../api/fixture.ts';
import { binding, policy, refusedBy } from './policies.ts';

const group = namesFor('orch').groups.admissionregistration;

/** Versions of the policies, with a release that serves them on request. */
const versions = [
  ['v1alpha1', '1.26', `${group}/v1alpha1=true`],
  ['v1alpha1', '1.27', 'api/all=true'],
  ['v1beta1', '1.20', `${group}/v1beta1=true`],
  ['v1beta1', '1.27', 'api/all=true'],
  ['v1', '1.15', 'api/all=true'],
  ['v1', '1.27', 'api/all=true'],
] as const;

const mutatingPolicy = {
  metadata: { name: 'stamps' },
  spec: {
    matchConstraints: {
      resourceRules: [
        { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
      ],
    },
    mutations: [
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: "Object{data: Object.data{stamp: 'yes'}}" },
      },
    ],
    reinvocationPolicy: 'Never',
  },
};
const mutatingBinding = { metadata: { name: 'stamps' }, spec: { policyName: 'stamps' } };

describe('versions of admission policies', { timeout: 180_000 }, () => {
  for (const [version, release, enables] of versions)
    it(`a policy that is written as ${version} is in effect in release ${release} with --runtime-config=${enables}`, async () => {
      await using server = await launchServer({
        args: [`--emulated-version=${release}`, `--runtime-config=${enables}`],
      });
      const apiVersion = `${group}/${version}`;
      const create = (resource: string, object: object): Promise<ApiResponse> =>
        server.client.post(`/apis/${apiVersion}/${resource}`, { ...object, apiVersion });
      const spec = { validations: [{ expression: "object.data.a != '9'" }] };
      expectCode(201, await create('validatingadmissionpolicies', policy('versions', spec)));
      expectCode(201, await create('validatingadmissionpolicybindings', binding('versions')));
      const labels = { labels: { test: 'versions' } };
      await refusedBy(() => server.client.post(`${cms}?dryRun=All`, configMap('m', { a: '9' }, labels)));
      expectCode(201, await server.client.post(cms, configMap('m', { a: '1' }, labels)));
      expectCode(201, await create('mutatingadmissionpolicies', mutatingPolicy));
      expectCode(201, await create('mutatingadmissionpolicybindings', mutatingBinding));
      await eventually(
        () => server.client.post(`${cms}?dryRun=All`, configMap('n', { a: '1' }, labels)),
        (answer) => item(answer).data?.['stamp'] === 'yes',
      );
    });

  it('policies are not served without --runtime-config', async () => {
    await using server = await launchServer();
    for (const version of ['v1', 'v1beta1', 'v1alpha1'])
      for (const kind of ['validating', 'mutating'])
        for (const resource of ['policies', 'policybindings'])
          expectCode(404, await server.client.get(`/apis/${group}/${version}/${kind}admission${resource}`));
  });
});
