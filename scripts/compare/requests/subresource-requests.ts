import { isJsonObject } from '@orch/machinery/json';
import type { Exchange } from '../exchange.ts';
import { refusal } from '../invalid-objects.ts';
import { type RequestCase, sendAll, sendInOrder } from './request-case.ts';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const pod = { metadata: { name: 'odd' }, spec: { containers: [{ name: 'a', image: 'a' }] } };
const deployment = {
  metadata: { name: 'odd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: pod.spec },
  },
};

const bodies: readonly (string | object)[] = [
  ...['', 'null', '[]', '1', '{', '{}'],
  ...[
    '{"kind":"Foo","apiVersion":"v1"}',
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"odd"}}',
    '{"metadata":{"name":"b"}}',
  ],
  ...[
    '{"metadata":{"name":"odd"}}',
    '{"metadata":{"name":"odd","namespace":"b"}}',
    '{"metadata":{"namespace":"b"}}',
    '{"metadata":null}',
  ],
  ...[
    '{"spec":{"replicas":2}}',
    '{"spec":{"replicas":-1}}',
    '{"spec":{"replicas":"a"}}',
    '{"spec":{"replicas":3000000000}}',
    '{"spec":null}',
  ],
  ...[
    '{"metadata":{"name":"odd","resourceVersion":"1"},"spec":{"replicas":2}}',
    '{"metadata":{"name":"odd"},"spec":{"replicas":2}}',
  ],
  ...[
    '{"metadata":{"name":"odd","uid":"x"},"spec":{"replicas":2}}',
    '{"metadata":{"name":"odd","resourceVersion":"x"},"spec":{"replicas":2}}',
  ],
  ...[
    '{"target":{"name":"node"}}',
    '{"target":{}}',
    '{"target":{"kind":"Pod","name":"node"}}',
    '{"metadata":{"name":"odd"},"target":{"kind":"Node","name":"node"}}',
  ],
  ...[
    '{"target":{"name":"a/b"}}',
    '{"metadata":{"uid":"x"},"target":{"name":"node"}}',
    '{"metadata":{"name":"b"},"target":{"name":"node"}}',
    '{"target":{"name":""}}',
  ],
  ...[
    '{"deleteOptions":{"dryRun":["All"]}}',
    '{"deleteOptions":{"dryRun":["x"]}}',
    '{"deleteOptions":{"preconditions":{"uid":"x"}}}',
  ],
  ...[
    '{"deleteOptions":{"gracePeriodSeconds":-1}}',
    '{"deleteOptions":{"propagationPolicy":"x"}}',
    '{"deleteOptions":{"orphanDependents":true,"propagationPolicy":"Orphan"}}',
  ],
  ...[
    '{"metadata":{"name":"odd"},"deleteOptions":{}}',
    '{"metadata":{"name":"odd"},"deleteOptions":null}',
    '{"deleteOptions":{"foo":1}}',
  ],
  ...[
    '{"spec":{"audiences":[]}}',
    '{"spec":{"audiences":["a"]}}',
    '{"spec":{"audiences":[""]}}',
    '{"spec":{"expirationSeconds":1}}',
    '{"spec":{"expirationSeconds":600}}',
  ],
  ...[
    '{"spec":{"expirationSeconds":4294967297}}',
    '{"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"odd"}}}',
    '{"spec":{"boundObjectRef":{"kind":"Pod","name":"none"}}}',
  ],
  ...[
    '{"spec":{"boundObjectRef":{"kind":"Foo","apiVersion":"v1","name":"odd"}}}',
    '{"spec":{"boundObjectRef":{"kind":"Node","apiVersion":"v1","name":"none"}}}',
    '{"spec":{"boundObjectRef":{}}}',
  ],
  ...[
    '{"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"odd","uid":"x"}}}',
    '{"foo":1}',
    '{"spec":{"foo":1}}',
    '{"status":{"phase":"x"}}',
    '{"status":{"conditions":[{}]}}',
  ],
];

const paths: readonly string[] = [
  ...[
    '',
    '/status',
    '/scale',
    '/eviction',
    '/binding',
    '/log',
    '/exec',
    '/attach',
    '/portforward',
    '/proxy',
    '/ephemeralcontainers',
    '/resize',
    '/none',
    '/status/a',
  ].map((name) => `${core}/pods/odd${name}`),
  ...['', '/status', '/scale', '/eviction', '/rollback', '/none'].map(
    (name) => `${apps}/deployments/odd${name}`,
  ),
  ...['/eviction', '/binding', '/status'].map((name) => `${core}/pods/absent${name}`),
  ...['/scale', '/status'].map((name) => `${apps}/deployments/absent${name}`),
  `${core}/serviceaccounts/default/token`,
  `${core}/serviceaccounts/absent/token`,
  `${core}/bindings`,
  '/api/v1/namespaces/default/status',
  '/api/v1/namespaces/default/finalize',
  '/api/v1/namespaces/absent/finalize',
];

const reviews: readonly string[] = [
  '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
  '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews',
  '/apis/authentication.k8s.io/v1/tokenreviews',
  '/apis/authentication.k8s.io/v1/selfsubjectreviews',
];
const reviewBodies: readonly string[] = [
  ...[
    '',
    '{}',
    '{"spec":{}}',
    '{"spec":null}',
    '{"metadata":{"name":"a"},"spec":{}}',
    '{"spec":{"token":""}}',
    '{"spec":{"token":"x"}}',
    '{"spec":{"token":"x","audiences":["a"]}}',
  ],
  ...[
    '{"spec":{"user":"a"}}',
    '{"spec":{"user":"a","resourceAttributes":{}}}',
    '{"spec":{"resourceAttributes":{}}}',
    '{"spec":{"resourceAttributes":{},"nonResourceAttributes":{}}}',
  ],
  ...[
    '{"spec":{"user":"a","resourceAttributes":{"namespace":"default","verb":"get","resource":"pods"}}}',
    '{"spec":{"user":"a","resourceAttributes":{"namespace":"b"}}}',
  ],
  ...[
    '{"spec":{"groups":["system:masters"],"nonResourceAttributes":{"path":"/x","verb":"get"}}}',
    '{"spec":{"user":"a","nonResourceAttributes":{"path":"/api","verb":"get"}}}',
  ],
  ...[
    '{"spec":{"namespace":"default"}}',
    '{"spec":{"namespace":""}}',
    '{"metadata":{"namespace":"default"},"spec":{"user":"a","resourceAttributes":{"namespace":"default"}}}',
  ],
  ...[
    '{"metadata":{"namespace":"b"},"spec":{"user":"a","resourceAttributes":{"namespace":"default"}}}',
    '{"spec":{"user":"a","resourceAttributes":{"fieldSelector":{"rawSelector":"a=b"}}}}',
  ],
  ...[
    '{"spec":{"user":"a","resourceAttributes":{"fieldSelector":{"rawSelector":"a=b","requirements":[]}}}}',
    '{"spec":{"user":"a","resourceAttributes":{"fieldSelector":{}}}}',
  ],
  ...[
    '{"spec":{"user":"a","resourceAttributes":{"labelSelector":{"requirements":[{"key":"a","operator":"Foo"}]}}}}',
  ],
  ...[
    '{"spec":{"user":"a","resourceAttributes":{"labelSelector":{"requirements":[{"operator":"In"}]}}}}',
    '{"status":{"allowed":true}}',
    '{"metadata":{"labels":{"a":"b"}},"spec":{"user":"a","nonResourceAttributes":{"path":"*","verb":"*"}}}',
  ],
];

/** Sends odd bodies to subresources and reviews with every method, as dry runs. */
export async function compareSubresourceRequests(exchange: Exchange): Promise<void> {
  exchange.begin('subresources');
  const types = { apiVersion: 'v1', kind: 'Pod' };
  await sendInOrder(exchange, [
    { method: 'POST', path: `${core}/serviceaccounts`, body: { metadata: { name: 'default' } } },
    { method: 'POST', path: `${core}/pods`, body: { ...types, ...pod } },
    {
      method: 'POST',
      path: `${apps}/deployments`,
      body: { apiVersion: 'apps/v1', kind: 'Deployment', ...deployment },
    },
  ]);
  await sendAll(exchange, [
    ...paths.flatMap((path) =>
      ['POST', 'PUT'].flatMap((method) => bodies.map((body) => request(method, path, body))),
    ),
    ...paths
      .filter((path) => !/(log|exec|attach|portforward|proxy)$/.test(path))
      .flatMap((path) => [
        ...bodies.map((body) => ({
          ...request('PATCH', path, body),
          contentType: 'application/merge-patch+json',
        })),
        { method: 'DELETE', path: `${path}?dryRun=All` },
        { method: 'GET', path },
      ]),
    ...reviews.flatMap((path) => [
      ...reviewBodies.map((body) => request('POST', path, body)),
      { method: 'GET', path },
    ]),
  ]);
  await sendInOrder(exchange, [
    { method: 'DELETE', path: `${core}/pods/odd?gracePeriodSeconds=0` },
    { method: 'DELETE', path: `${apps}/deployments/odd` },
  ]);
}

const request = (method: string, path: string, body: string | object): RequestCase => ({
  method,
  path: `${path}?dryRun=All`,
  step: typeof body === 'string' ? body : JSON.stringify(body),
  body,
  project: withoutToken,
});

/** An answer without the token in it, which differs in every answer. */
function withoutToken(body: unknown): unknown {
  const answer = refusal(body);
  if (!isJsonObject(answer) || answer['kind'] !== 'TokenRequest') return answer;
  const { status: _status, ...rest } = answer;
  return rest;
}
