import type { Exchange } from '../exchange.ts';
import { queryOf, type RequestCase, sendAll, sendInOrder } from './request-case.ts';

const collection = '/api/v1/namespaces/default/configmaps';
const names = ['a', 'b', 'c'];

const options: readonly string[] = [
  ...[
    '',
    'null',
    '{}',
    '[]',
    '1',
    '{',
    '{"kind":"Foo"}',
    '{"kind":"DeleteOptions","apiVersion":"v1"}',
    '{"kind":"DeleteOptions","apiVersion":"apps/v1"}',
  ],
  ...[
    '{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/v1"}',
    '{"kind":"DeleteOptions","apiVersion":"a/v1"}',
    '{"kind":"ConfigMap","apiVersion":"v1"}',
    '{"foo":1}',
  ],
  ...[
    '{"gracePeriodSeconds":0}',
    '{"gracePeriodSeconds":-1}',
    '{"gracePeriodSeconds":"1"}',
    '{"gracePeriodSeconds":9223372036854775808}',
    '{"orphanDependents":true}',
  ],
  ...[
    '{"orphanDependents":true,"propagationPolicy":"Orphan"}',
    '{"propagationPolicy":"Orphan"}',
    '{"propagationPolicy":"Foreground"}',
    '{"propagationPolicy":"Background"}',
  ],
  ...[
    '{"propagationPolicy":""}',
    '{"propagationPolicy":"x"}',
    '{"propagationPolicy":null}',
    '{"preconditions":{}}',
    '{"preconditions":{"uid":"x"}}',
    '{"preconditions":{"uid":""}}',
  ],
  ...[
    '{"preconditions":{"resourceVersion":"1"}}',
    '{"preconditions":{"resourceVersion":""}}',
    '{"dryRun":["All"]}',
    '{"dryRun":["x"]}',
    '{"dryRun":["All","All"]}',
    '{"dryRun":[]}',
  ],
  ...[
    '{"dryRun":"All"}',
    '{"ignoreStoreReadErrorWithClusterBreakingPotential":true}',
    '{"ignoreStoreReadErrorWithClusterBreakingPotential":true,"dryRun":["All"]}',
  ],
  ...[
    '{"ignoreStoreReadErrorWithClusterBreakingPotential":true,"gracePeriodSeconds":1}',
    '{"gracePeriodSeconds":1,"gracePeriodSeconds":2}',
  ],
];

const queries: readonly Readonly<Record<string, string>>[] = [
  { gracePeriodSeconds: 'x' },
  { gracePeriodSeconds: '-1' },
  { gracePeriodSeconds: '' },
  { orphanDependents: 'x' },
  { orphanDependents: 'true', propagationPolicy: 'Orphan' },
  { propagationPolicy: 'x' },
  { propagationPolicy: '' },
  { propagationPolicy: 'Foreground' },
  { dryRun: 'x' },
  { ignoreStoreReadErrorWithClusterBreakingPotential: 'true' },
  { labelSelector: '!' },
  { labelSelector: 'a=b' },
  { fieldSelector: 'x=y' },
  { fieldSelector: 'metadata.name=a' },
  { limit: '1' },
  { limit: 'x' },
  { continue: 'x' },
  { resourceVersion: '1' },
  { resourceVersion: 'x' },
  { resourceVersion: '0', resourceVersionMatch: 'Exact' },
  { resourceVersionMatch: 'Exact' },
  { timeoutSeconds: 'x' },
  { preconditions: 'x' },
];

/** Deletes objects and collections with odd options, in the body and in the query: as dry runs, and then for good. */
export async function compareDeleteRequests(exchange: Exchange): Promise<void> {
  exchange.begin('deletions');
  const targets = [`${collection}/a`, collection, `${collection}/absent`, '/api/v1/namespaces'];
  const create = names.map(
    (name): RequestCase => ({
      method: 'POST',
      path: collection,
      body: { metadata: { name, labels: { a: 'b' } } },
    }),
  );
  await sendInOrder(exchange, create);
  await sendAll(
    exchange,
    targets.flatMap((target) => [
      // The reference reads no options from the query where there is a body.
      ...options
        .filter((body) => body === '' || body.includes('"dryRun":['))
        .map((body) => ({ method: 'DELETE', path: `${target}?dryRun=All`, body, step: body })),
      ...queries.map((query) => ({
        method: 'DELETE',
        path: `${target}${queryOf({ dryRun: 'All', ...query })}`,
      })),
    ]),
  );
  for (const body of options.filter((one) => !one.includes('Store')))
    await sendInOrder(exchange, [
      { method: 'DELETE', path: `${collection}/a`, body, step: `for good ${body}` },
      { method: 'GET', path: `${collection}/a`, step: `after ${body}` },
      {
        method: 'PATCH',
        path: `${collection}/a`,
        body: { metadata: { finalizers: null } },
        contentType: 'application/merge-patch+json',
        step: `without finalizers after ${body}`,
      },
      {
        method: 'DELETE',
        path: `${collection}?labelSelector=a%3Db&fieldSelector=metadata.name!%3Da`,
        body,
        step: `for good ${body}`,
      },
      { method: 'GET', path: `${collection}?labelSelector=a%3Db`, step: `after ${body}` },
      {
        method: 'PATCH',
        path: `${collection}/b`,
        body: { metadata: { finalizers: null } },
        contentType: 'application/merge-patch+json',
        step: `without finalizers after ${body}`,
      },
      {
        method: 'PATCH',
        path: `${collection}/c`,
        body: { metadata: { finalizers: null } },
        contentType: 'application/merge-patch+json',
        step: `without finalizers after ${body}`,
      },
      ...create,
    ]);
  await sendInOrder(
    exchange,
    names.map((name) => ({ method: 'DELETE', path: `${collection}/${name}` })),
  );
}
