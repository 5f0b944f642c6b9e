import type { Exchange } from '../exchange.ts';
import { type RequestCase, sendAll, sendInOrder } from './request-case.ts';

const collection = '/apis/apps/v1/namespaces/default/deployments';
const path = `${collection}/patches`;
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'a', image: 'a', ports: [{ containerPort: 80 }] }] },
};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'patches', labels: { a: 'b' } },
  spec: { selector: { matchLabels: { a: 'b' } }, template },
};

const types = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/apply-patch+cbor',
  'application/apply-patch+json',
  'application/json',
  'application/yaml',
  'application/merge-patch+json; charset=utf-8',
  'text/plain',
  '',
];
const operations = (...all: readonly object[]): string => JSON.stringify(all);
const head = 'apiVersion: apps/v1\nkind: Deployment\n';
const patches: readonly string[] = [
  ...[
    '',
    'null',
    '1',
    '"a"',
    '[]',
    '{}',
    '{',
    '[',
    '{"a"',
    '[{}]',
    '[1]',
    '[null]',
    '{"a":1}{}',
    '{"spec":null}',
    '{"spec":[]}',
  ],
  ...[
    '{"spec":1}',
    '{"metadata":null}',
    '{"metadata":{"name":null}}',
    '{"metadata":{"name":"b"}}',
    '{"kind":"Foo"}',
    '{"kind":null}',
  ],
  ...[
    '{"apiVersion":"apps/v2"}',
    '{"metadata":{"namespace":"b"}}',
    '{"metadata":{"uid":"b"}}',
    '{"metadata":{"uid":null}}',
  ],
  ...[
    '{"metadata":{"resourceVersion":"1"}}',
    '{"metadata":{"resourceVersion":"x"}}',
    '{"metadata":{"resourceVersion":""}}',
  ],
  ...[
    '{"metadata":{"resourceVersion":null}}',
    '{"metadata":{"labels":null}}',
    '{"metadata":{"labels":{"a":1}}}',
  ],
  ...[
    '{"metadata":{"creationTimestamp":"x"}}',
    '{"metadata":{"creationTimestamp":null}}',
    '{"metadata":{"managedFields":[]}}',
  ],
  ...[
    '{"metadata":{"managedFields":[{}]}}',
    '{"metadata":{"managedFields":null}}',
    '{"metadata":{"generation":7}}',
    '{"metadata":{"foo":1}}',
  ],
  ...[
    '{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}}',
    '{"metadata":{"selfLink":"a"}}',
    '{"metadata":{"finalizers":["a"]}}',
  ],
  ...[
    '{"foo":1}',
    '{"spec":{"foo":1}}',
    '{"spec":{"replicas":"1"}}',
    '{"spec":{"replicas":3000000000}}',
    '{"spec":{"replicas":1.5}}',
  ],
  ...[
    '{"spec":{"replicas":1e2}}',
    '{"spec":{"replicas":-0}}',
    '{"spec":{"replicas":-1}}',
    '{"spec":{"replicas":null}}',
    '{"status":{"replicas":3}}',
  ],
  ...[
    '{"spec":{"replicas":1,"replicas":2}}',
    '{"spec":{"paused":"true"}}',
    '{"spec":{"template":{"spec":{"containers":null}}}}',
  ],
  ...[
    '{"spec":{"template":{"spec":{"containers":[]}}}}',
    '{"spec":{"template":{"spec":{"containers":[{}]}}}}',
  ],
  ...[
    '{"spec":{"template":{"spec":{"containers":[null]}}}}',
    '{"spec":{"template":{"spec":{"containers":[1]}}}}',
  ],
  ...[
    '{"spec":{"template":{"spec":{"containers":{"name":"a"}}}}}',
    '{"spec":{"template":{"spec":{"containers":[{"name":1}]}}}}',
  ],
  ...['{"spec":{"template":{"spec":{"containers":[{"name":"b","image":"b"}]}}}}'],
  ...['{"spec":{"template":{"spec":{"containers":[{"name":"a","$patch":"delete"}]}}}}'],
  ...['{"spec":{"template":{"spec":{"containers":[{"$patch":"replace"},{"name":"c","image":"c"}]}}}}'],
  ...[
    '{"spec":{"template":{"spec":{"containers":[{"$patch":"foo","name":"a"}]}}}}',
    '{"spec":{"$patch":"foo"}}',
    '{"$patch":"delete"}',
  ],
  ...[
    '{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"b"}],"containers":[{"name":"a","image":"x"}]}}}}',
  ],
  ...[
    '{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"a"}]}}}}',
    '{"spec":{"template":{"spec":{"$setElementOrder/containers":1}}}}',
  ],
  ...[
    '{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}}',
    '{"metadata":{"$deleteFromPrimitiveList/finalizers":1}}',
  ],
  ...[
    '{"metadata":{"labels":{"$patch":"replace","x":"y"}}}',
    '{"metadata":{"labels":{"$patch":"delete"}}}',
    '{"metadata":{"$retainKeys":["name"],"labels":{"a":"c"}}}',
  ],
  ...[
    '{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}',
    '{"spec":{"strategy":{"$retainKeys":1,"type":"Recreate"}}}',
  ],
  ...[
    '{"spec":{"strategy":{"$retainKeys":[],"type":"Recreate"}}}',
    '{"spec":{"strategy":{"type":"Recreate"}}}',
    '{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}',
  ],
  ...[
    '{"spec":{"selector":{"matchLabels":{"a":"c"}}}}',
    '{"spec":{"template":{"metadata":{"labels":{"a":null}}}}}',
    '{"spec":{"template":{"metadata":null}}}',
  ],
  operations({ op: 'add', path: '/metadata/labels/x', value: 'y' }),
  operations({ op: 'add', path: '/metadata/labels/x' }),
  operations({ op: 'add', path: '/metadata/annotations/x', value: 'y' }),
  operations({ op: 'add', path: 'metadata', value: 'y' }),
  operations({ op: 'add', path: '', value: {} }),
  operations({ op: 'replace', path: '', value: deployment }),
  operations({ op: 'replace', path: '/metadata/labels/none', value: 'y' }),
  operations({ op: 'replace', path: '/metadata/labels', value: null }),
  operations({ op: 'remove', path: '/metadata/labels/none' }),
  operations({ op: 'remove', path: '/metadata/labels/a' }),
  operations({ op: 'remove', path: '' }),
  operations({ op: 'remove', path: '/metadata' }),
  operations({ op: 'remove', path: '/kind' }),
  operations({ op: 'remove', path: '/spec' }),
  operations({ op: 'test', path: '/metadata/labels/a', value: 'b' }),
  operations({ op: 'test', path: '/metadata/labels/a', value: 'c' }),
  operations({ op: 'test', path: '/metadata/labels/none', value: null }),
  operations({ op: 'test', path: '/metadata/labels/none', value: 'c' }),
  operations({ op: 'test', path: '/spec/replicas', value: 1.0 }),
  operations({ op: 'move', from: '/metadata/labels/a', path: '/metadata/labels/c' }),
  operations({ op: 'move', from: '/metadata/labels/none', path: '/metadata/labels/c' }),
  operations({ op: 'move', path: '/metadata/labels/c' }),
  operations({ op: 'move', from: '/spec', path: '/spec/template' }),
  operations({ op: 'copy', from: '/metadata/labels/a', path: '/metadata/labels/c' }),
  operations({ op: 'copy', from: '/metadata/labels', path: '/metadata/annotations' }),
  operations({ op: 'copy', from: '/x', path: '/metadata/annotations' }),
  operations({ op: 'foo', path: '/metadata/labels/c' }),
  operations({ path: '/metadata/labels/c', value: 'a' }),
  operations({ op: 'add', value: 'a' }),
  operations({ op: 'ADD', path: '/metadata/labels/c', value: 'a' }),
  operations({ op: 1, path: '/metadata/labels/c', value: 'a' }),
  operations({ op: 'add', path: 1, value: 'a' }),
  operations({ op: 'add', path: '/metadata/labels/c', value: 'a', foo: 1 }),
  ...['-', '0', '1', '2', '-1', '01', 'x', ''].flatMap((index) => [
    operations({
      op: 'add',
      path: `/spec/template/spec/containers/${index}`,
      value: { name: 'b', image: 'b' },
    }),
    operations({
      op: 'replace',
      path: `/spec/template/spec/containers/${index}`,
      value: { name: 'b', image: 'b' },
    }),
    operations({ op: 'remove', path: `/spec/template/spec/containers/${index}` }),
    operations({ op: 'test', path: `/spec/template/spec/containers/${index}`, value: null }),
  ]),
  operations({ op: 'add', path: '/metadata/labels/a~1b', value: 'a' }),
  operations({ op: 'add', path: '/metadata/labels/a~2b', value: 'a' }),
  operations({ op: 'add', path: '/spec/x/y', value: 'a' }),
  operations({ op: 'add', path: '/spec/foo', value: 'a' }),
  operations({ op: 'add', path: '/spec/replicas', value: '1' }),
  operations({ op: 'add', path: '/spec/replicas', value: 3_000_000_000 }),
  ...[
    '',
    'metadata: {}\n',
    'metadata: {name: patches}\n',
    'metadata: {name: b}\n',
    'metadata: {name: ""}\n',
    'metadata: {name: null}\n',
  ].map((end) => head + end),
  ...[
    'metadata: {namespace: default}\n',
    'metadata: {namespace: b}\n',
    'metadata: {namespace: ""}\n',
    'metadata: {generateName: a}\n',
    'metadata: []\n',
    'metadata: x\n',
  ].map((end) => head + end),
  ...[
    'metadata: {managedFields: []}\n',
    'metadata: {managedFields: [{}]}\n',
    'metadata: {managedFields: null}\n',
    'metadata: {uid: a}\n',
    'metadata: {resourceVersion: "1"}\n',
  ].map((end) => head + end),
  ...[
    'spec: {replicas: 2}\n',
    'spec: {replicas: a}\n',
    'spec: {replicas: null}\n',
    'spec: {foo: 1}\n',
    'spec: []\n',
    'spec: null\n',
    'foo: 1\n',
    'spec: {replicas: 1}\nspec: {replicas: 2}\n',
  ].map((end) => head + end),
  ...[
    'spec: {template: {spec: {containers: [{image: a}]}}}\n',
    'spec: {template: {spec: {containers: [{name: a, image: x}, {name: a, image: y}]}}}\n',
  ].map((end) => head + end),
  ...[
    'spec: {template: {spec: {containers: [{name: a, ports: [{}]}]}}}\n',
    'spec: {template: {spec: {containers: [{name: b, image: b}]}}}\n',
    'status: {replicas: 3}\n',
  ].map((end) => head + end),
  ...[
    'kind: Deployment\n',
    'apiVersion: apps/v1\n',
    'apiVersion: apps/v2\nkind: Deployment\n',
    'apiVersion: v1\nkind: Pod\n',
    'apiVersion: apps/v1\nkind: Foo\n',
    'a: b: c\n',
    '- a\n',
    '---\n',
    '# a\n',
    `${head}---\n${head}`,
  ],
];

const managers: readonly string[] = [
  '',
  '?fieldManager=',
  '?fieldManager=a',
  `?fieldManager=${'a'.repeat(128)}`,
  `?fieldManager=${'a'.repeat(129)}`,
  `?fieldManager=${'%C3%A9'.repeat(65)}`,
  '?fieldManager=%0A',
  '?fieldManager=a%00b',
  '?fieldManager=%C3%A9',
  '?fieldManager=%FF',
  '?fieldManager=a&fieldManager=b',
  '?force=true',
  '?force=x',
  '?fieldManager=a&force=x',
  '?fieldManager=a&force=',
  '?fieldManager=a&force',
  '?fieldManager=a&force=false',
  '?fieldManager=a&force=true',
  '?dryRun=x',
  '?dryRun=',
  '?dryRun=All&dryRun=All',
  '?dryRun=All&dryRun=x',
  '?dryRun=all',
  '?fieldManager=a&fieldValidation=x',
  '?fieldManager=a&fieldValidation=Strict',
];

/** Sends patches of every form, also damaged ones, as every content type, and patches with odd managers and options. */
export async function comparePatchRequests(exchange: Exchange): Promise<void> {
  exchange.begin('patches');
  const patch = (query: string, body: string, contentType: string, at = path): RequestCase => ({
    method: 'PATCH',
    path: `${at}${query}`,
    step: `${contentType} ${body}`,
    body,
    contentType,
  });
  await sendInOrder(exchange, [
    { method: 'POST', path: `${collection}?fieldManager=first`, body: deployment },
  ]);
  await sendAll(
    exchange,
    types.flatMap((type) =>
      patches.flatMap((body) => [
        patch(`?dryRun=All&fieldManager=a`, body, type),
        patch(`?dryRun=All&fieldManager=a&force=true&fieldValidation=Strict`, body, type),
        patch(`?dryRun=All&fieldManager=a&fieldValidation=Warn`, body, type, `${path}/status`),
        patch(`?dryRun=All&fieldManager=a`, body, type, `${collection}/absent`),
      ]),
    ),
  );
  const dry = (query: string): string => `${query}${query === '' ? '?' : '&'}dryRun=All`;
  await sendAll(
    exchange,
    managers.flatMap((query) => [
      ...types
        .slice(0, 4)
        .map((type) =>
          patch(
            dry(query),
            type.includes('json-patch')
              ? '[]'
              : `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"labels":{"x":"y"}}}`,
            type,
          ),
        ),
      {
        method: 'POST',
        path: `${collection}${dry(query)}`,
        body: { ...deployment, metadata: { name: 'b' } },
      },
      { method: 'DELETE', path: `${collection}/absent${dry(query)}` },
    ]),
  );
  await sendInOrder(exchange, [{ method: 'DELETE', path }]);
}
