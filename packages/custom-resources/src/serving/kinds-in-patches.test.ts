import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Answered } from '@orch/registry/testing';
import { crontab, crontabs, schemaOf, v1, withCronTabs } from '../testing/crontabs.ts';
import type { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const replicas = { type: 'object', properties: { replicas: { type: 'integer' } } };
const version = {
  ...v1,
  schema: schemaOf({ spec: replicas, status: replicas }),
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
};
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const labels = { app: 'a' };
const deployment = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } },
  spec: {
    ...{ replicas: 1, selector: { matchLabels: labels } },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x' }] } },
  },
};

/** The answers of kube-apiserver 1.36.3, the same for another kind, version, group, or all of these. */
const recorded = [
  ['custom', '', { merge: 422, json: 422, strategic: 415, apply: 400 }],
  ['custom', '/status', { merge: 200, json: 200, strategic: 415, apply: 400 }],
  ['custom', '/scale', { merge: 422, json: 422, strategic: 415, apply: 400 }],
  ['built-in', '', { merge: 422, json: 422, strategic: 200, apply: 400 }],
  ['built-in', '/status', { merge: 422, json: 422, strategic: 200, apply: 400 }],
  ['built-in', '/scale', { merge: 422, json: 422, strategic: 200, apply: 400 }],
] as const;
const mediaTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;
type PatchType = keyof typeof mediaTypes;

describe('a patch that names another kind or version', () => {
  let api: CustomResourcesFixture;
  before(async () => {
    api = await withCronTabs({}, [version]);
    const made = [
      await api.post(crontabs(), { ...crontab('a'), spec: { replicas: 1 } }),
      await api.post(deployments, deployment),
    ];
    for (const { status, text } of made) assert.equal(status, 201, text);
  });
  after(() => api[Symbol.asyncDispose]());

  const send = (path: string, type: PatchType, named: readonly [string, string]): Promise<Answered> => {
    const [apiVersion, kind] = named;
    const body =
      type === 'json'
        ? Object.entries({ apiVersion, kind }).map(([key, value]) => ({ op: 'add', path: `/${key}`, value }))
        : { apiVersion, kind, metadata: { name: 'a' } };
    const query = type === 'apply' ? '?fieldManager=m&force=true' : '';
    return api.send('PATCH', `${path}${query}`, { body, contentType: mediaTypes[type] });
  };

  for (const [resource, below, answers] of recorded)
    for (const type of ['merge', 'json', 'strategic', 'apply'] as const)
      it(`a ${type} patch of ${resource} resources${below} is answered with ${answers[type]}`, async () => {
        const path = `${resource === 'custom' ? crontabs('a') : `${deployments}/a`}${below}`;
        const { kind, apiVersion } = (await api.get(path)).json;
        const [group = ''] = String(apiVersion).split('/');
        for (const named of [
          [apiVersion, 'Other'],
          [`${group}/v9`, kind],
          ['other.example.com/v1', kind],
          ['v1', 'Pod'],
        ] as const) {
          const { status, json, text } = await send(path, type, named);
          assert.equal(status, answers[type], `${named.join(' ')}: ${text}`);
          if (status === 200) assert.deepEqual([json.kind, json.apiVersion], [kind, apiVersion]);
        }
      });

  it('a patch of the status of a custom resource that gives a number as kind is refused', async () => {
    const { status } = await api.patch(`${crontabs('a')}/status`, { kind: 3 });
    assert.equal(status, 422);
  });
});
