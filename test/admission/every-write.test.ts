import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { encodePem } from '@orch/pki/x509';
import { base64, makeRequest, simpleName } from '@orch/pki/x509/testing';
import { admitting, type Review, webhookEntry } from '@orch/server/testing';
import type { ApiResponse } from '@orch/testkit';
import { servesPolicies } from './policies.ts';
import { jsonOf, WebhookCluster } from './webhook-cluster.ts';

const names = namesFor('orch');
type Group = 'authentication' | 'authorization' | 'certificates' | 'admissionregistration' | 'node';
const root = (group: Group): string => `/apis/${names.apiVersion(group, 'v1')}`;
const ns = '/api/v1/namespaces/default';
const configMaps = `${ns}/configmaps`;
const victim = `${configMaps}/victim`;
const pod = `${ns}/pods/p`;
const deployment = '/apis/apps/v1/namespaces/default/deployments/d';
const requests = `${root('certificates')}/certificatesigningrequests`;

/** Updates of objects that do not exist create them. */
const runtimeClasses = `${root('node')}/runtimeclasses`;
const runtimeClass = { metadata: { name: 'new' }, handler: 'h' };

const json = { contentType: 'application/json-patch+json' };
const merge = { contentType: 'application/merge-patch+json' };
const strategic = { contentType: 'application/strategic-merge-patch+json' };
const apply = { contentType: 'application/apply-patch+yaml' };

const configMap = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { of: 'victims' } },
  data: { a: '1' },
});
const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 3 } };
const target = { apiVersion: 'v1', kind: 'Node', name: 'n' };
const access = { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } };
const container = { name: 'debugger', image: 'i' };

type Way = readonly [
  title: string,
  /** Operation and resource of the reviews. */
  review: string,
  request: readonly [
    method: string,
    path: string,
    options?: { readonly body?: object; readonly contentType?: string },
  ],
];

/** Every way to write, and every connection. */
const ways: readonly Way[] = [
  ['create', 'CREATE configmaps', ['POST', configMaps, { body: configMap('new') }]],
  [
    'create with a generated name',
    'CREATE configmaps',
    ['POST', configMaps, { body: { metadata: { generateName: 'new-', labels: { of: 'victims' } } } }],
  ],
  [
    'create in a dry run',
    'CREATE configmaps',
    ['POST', `${configMaps}?dryRun=All`, { body: configMap('n') }],
  ],
  ['update', 'UPDATE configmaps', ['PUT', victim, { body: configMap('victim') }]],
  [
    'update in a dry run',
    'UPDATE configmaps',
    ['PUT', `${victim}?dryRun=All`, { body: configMap('victim') }],
  ],
  [
    'JSON patch',
    'UPDATE configmaps',
    ['PATCH', victim, { ...json, body: [{ op: 'remove', path: '/data' }] }],
  ],
  ['merge patch', 'UPDATE configmaps', ['PATCH', victim, { ...merge, body: { data: { b: '1' } } }]],
  ['strategic patch', 'UPDATE configmaps', ['PATCH', victim, { ...strategic, body: { data: { b: '1' } } }]],
  ['patch without a change', 'UPDATE configmaps', ['PATCH', victim, { ...merge, body: {} }]],
  [
    'apply',
    'UPDATE configmaps',
    ['PATCH', `${victim}?fieldManager=m&force=true`, { ...apply, body: configMap('victim') }],
  ],
  [
    'apply that creates',
    'CREATE configmaps',
    ['PATCH', `${configMaps}/new?fieldManager=m`, { ...apply, body: configMap('new') }],
  ],
  [
    'apply in a dry run',
    'CREATE configmaps',
    ['PATCH', `${configMaps}/new?fieldManager=m&dryRun=All`, { ...apply, body: configMap('new') }],
  ],
  ['update that creates', 'CREATE runtimeclasses', ['PUT', `${runtimeClasses}/new`, { body: runtimeClass }]],
  [
    'update that creates in a dry run',
    'CREATE runtimeclasses',
    ['PUT', `${runtimeClasses}/new?dryRun=All`, { body: runtimeClass }],
  ],
  ['delete', 'DELETE configmaps', ['DELETE', victim]],
  ['delete in a dry run', 'DELETE configmaps', ['DELETE', `${victim}?dryRun=All`]],
  ['deletecollection', 'DELETE configmaps', ['DELETE', `${configMaps}?labelSelector=of%3Dvictims`]],
  ['patch of a status', 'UPDATE pods/status', ['PATCH', `${pod}/status`, { ...merge, body: { status: {} } }]],
  [
    'apply of a status',
    'UPDATE deployments/status',
    [
      'PATCH',
      `${deployment}/status?fieldManager=m`,
      {
        ...apply,
        body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, status: { replicas: 1 } },
      },
    ],
  ],
  ['update of a scale', 'UPDATE deployments/scale', ['PUT', `${deployment}/scale`, { body: scale }]],
  [
    'patch of a scale',
    'UPDATE deployments/scale',
    ['PATCH', `${deployment}/scale`, { ...merge, body: { spec: { replicas: 3 } } }],
  ],
  [
    'apply of a scale',
    'UPDATE deployments/scale',
    ['PATCH', `${deployment}/scale?fieldManager=m&force=true`, { ...apply, body: scale }],
  ],
  [
    'ephemeral containers',
    'UPDATE pods/ephemeralcontainers',
    [
      'PATCH',
      `${pod}/ephemeralcontainers`,
      { ...strategic, body: { spec: { ephemeralContainers: [container] } } },
    ],
  ],
  [
    'eviction',
    'CREATE pods/eviction',
    [
      'POST',
      `${pod}/eviction`,
      { body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } } },
    ],
  ],
  [
    'binding of a pod',
    'CREATE pods/binding',
    ['POST', `${pod}/binding`, { body: { metadata: { name: 'p' }, target } }],
  ],
  ['binding', 'CREATE bindings', ['POST', `${ns}/bindings`, { body: { metadata: { name: 'p' }, target } }]],
  [
    'finalizers of a namespace',
    'UPDATE namespaces/finalize',
    ['PUT', '/api/v1/namespaces/default/finalize', { body: { metadata: { name: 'default' }, spec: {} } }],
  ],
  [
    'approval of a certificate',
    'UPDATE certificatesigningrequests/approval',
    [
      'PATCH',
      `${requests}/r/approval`,
      { ...merge, body: { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r' }] } } },
    ],
  ],
  [
    'token request',
    'CREATE serviceaccounts/token',
    ['POST', `${ns}/serviceaccounts/robot/token`, { body: { spec: {} } }],
  ],
  [
    'token review',
    'CREATE tokenreviews',
    ['POST', `${root('authentication')}/tokenreviews`, { body: { spec: { token: 'a.b.c' } } }],
  ],
  [
    'access review',
    'CREATE subjectaccessreviews',
    [
      'POST',
      `${root('authorization')}/subjectaccessreviews`,
      { body: { spec: { ...access, user: 'jane' } } },
    ],
  ],
  [
    'access review of the user',
    'CREATE selfsubjectaccessreviews',
    ['POST', `${root('authorization')}/selfsubjectaccessreviews`, { body: { spec: access } }],
  ],
  [
    'rules review of the user',
    'CREATE selfsubjectrulesreviews',
    [
      'POST',
      `${root('authorization')}/selfsubjectrulesreviews`,
      { body: { spec: { namespace: 'default' } } },
    ],
  ],
  [
    'access review in a namespace',
    'CREATE localsubjectaccessreviews',
    [
      'POST',
      `${root('authorization')}/namespaces/default/localsubjectaccessreviews`,
      { body: { metadata: { namespace: 'default' }, spec: { ...access, user: 'jane' } } },
    ],
  ],
  ['exec', 'CONNECT pods/exec', ['POST', `${pod}/exec?command=ls`]],
  ['exec by GET', 'CONNECT pods/exec', ['GET', `${pod}/exec?command=ls`]],
  ['attach', 'CONNECT pods/attach', ['POST', `${pod}/attach?stdout=true`]],
  ['port forwarding', 'CONNECT pods/portforward', ['POST', `${pod}/portforward?ports=80`]],
  ['proxy to a pod', 'CONNECT pods/proxy', ['GET', `${pod}/proxy/a/b`]],
  ['proxy to a service', 'CONNECT services/proxy', ['PUT', `${ns}/services/s/proxy/a`]],
  ['proxy to a node', 'CONNECT nodes/proxy', ['DELETE', '/api/v1/nodes/n/proxy/a']],
];

/** A request for a certificate. */
const signingRequest = (name: string): object => ({
  metadata: { name },
  spec: {
    request: base64(encodePem('CERTIFICATE REQUEST', makeRequest({ subject: simpleName('jane', []) }))),
    usages: ['client auth'],
    signerName: names.signers.apiserverClient,
  },
});

const summary = ({ operation, resource, subResource = '' }: Review): string =>
  `${operation} ${resource.resource}${subResource === '' ? '' : `/${subResource}`}`;

describe('refusals of admission', { timeout: 60_000 }, () => {
  let cluster: WebhookCluster;
  /** The written objects before the write. */
  let stored: readonly string[];

  const versions = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const path of [configMaps, `${ns}/pods`, deployment, `${requests}/r`, ns, runtimeClasses])
      found.push((await cluster.client.get(path)).text.replace(/"metadata":\{"resourceVersion":"\d+"\}/, ''));
    return found;
  };

  before(async () => {
    cluster = await WebhookCluster.start({ args: [servesPolicies] });
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const template = { metadata: { labels: { a: 'b' } }, spec };
    const selector = { matchLabels: { a: 'b' } };
    for (const [path, object] of [
      [configMaps, configMap('victim')],
      [`${ns}/pods`, { metadata: { name: 'p' }, spec }],
      [
        '/apis/apps/v1/namespaces/default/deployments',
        { metadata: { name: 'd' }, spec: { selector, template } },
      ],
      ['/api/v1/nodes', { metadata: { name: 'n' } }],
      [`${ns}/services`, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } }],
      [`${ns}/serviceaccounts`, { metadata: { name: 'robot' } }],
      [requests, signingRequest('r')],
    ] as const)
      jsonOf(await cluster.client.post(path, object), 201);
    stored = await versions();
  });
  after(async () => cluster[Symbol.asyncDispose]());

  const send = ([, , [method, path, options]]: Way): Promise<ApiResponse> =>
    cluster.client.send(method, path, options ?? {});

  /** Each of these ways has an answer that matches, and nothing was stored. */
  async function refuses(some: readonly Way[], message: RegExp): Promise<void> {
    const admitted: string[] = [];
    for (const way of some) {
      const { status, text } = await send(way);
      const isRefused = (status === 403 || status === 422) && message.test(text);
      if (!isRefused) admitted.push(`${way[0]}: ${status} ${text}`);
    }
    assert.deepEqual(admitted, []);
    assert.deepEqual(await versions(), stored);
  }

  for (const phase of ['mutating', 'validating'] as const)
    it(`a ${phase} webhook receives and refuses every way to write, and every connection`, async () => {
      const rule = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
      cluster.webhook.answer = admitting(() => ({ allowed: false, status: { code: 403, message: 'never' } }));
      await using _denies = await cluster.configure(phase, 'denies', [
        webhookEntry(cluster.webhook, { rule }),
      ]);
      cluster.taken();
      await refuses(ways, /denied the request: never/);
      assert.deepEqual(
        cluster.taken().map((review) => [summary(review), review.dryRun ?? false]),
        ways.map(([, review, [, path]]) => [review, path.includes('dryRun')]),
      );
      cluster.webhook.answer = admitting();
    });

  for (const [kind, operations, spec] of [
    ['validating', ['*'], { validations: [{ expression: 'false', message: 'never' }] }],
    [
      'mutating',
      ['CREATE', 'UPDATE', 'CONNECT'],
      {
        mutations: [
          {
            patchType: 'JSONPatch',
            jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/never'}]" },
          },
        ],
        reinvocationPolicy: 'Never',
      },
    ],
  ] as const)
    it(`a ${kind} policy refuses every way to write and every connection that it can match`, async () => {
      const base = `${root('admissionregistration')}/${kind}admission`;
      const rule = { operations, apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
      const policy = {
        metadata: { name: 'never' },
        spec: { ...spec, matchConstraints: { resourceRules: [rule] } },
      };
      jsonOf(await cluster.client.post(`${base}policies`, policy), 201);
      const bound = {
        metadata: { name: 'never' },
        spec:
          kind === 'mutating'
            ? { policyName: 'never' }
            : { policyName: 'never', validationActions: ['Deny'] },
      };
      jsonOf(await cluster.client.post(`${base}policybindings`, bound), 201);
      const matched = ways.filter(([, review]) => kind === 'validating' || !review.startsWith('DELETE'));
      const [create] = ways;
      assert.ok(create !== undefined);
      await poll('the policy in effect', 10_000, async () => {
        const [, , [method, path, options]] = create;
        const answer = await cluster.client.send(method, `${path}?dryRun=All`, options ?? {});
        return answer.status === 201 ? undefined : true;
      });
      await refuses(matched, /'never' with binding 'never' denied request/i);
      jsonOf(await cluster.client.delete(`${base}policybindings/never`));
    });
});
