import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes } from '@orch/apis';
import { gadgets } from '../testing/gadget-rows.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const namespaces = builtinTypes.filter(({ resource }) => resource === 'namespaces');
const path = '/apis/apps/v1/namespaces/default/gadgets';
const strategic = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const others = [
  ['application/json-patch+json', [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]],
  ['application/merge-patch+json', { metadata: { labels: { a: 'b' } } }],
  [APPLY, { apiVersion: 'apps/v1', kind: 'Gadget', metadata: { labels: { a: 'b' } } }],
] as const;

describe('patch types of a resource without merge keys', () => {
  for (const lacksMergeKeys of [true, false]) {
    it(`a resource with lacksMergeKeys=${lacksMergeKeys} ${lacksMergeKeys ? 'refuses' : 'accepts'} strategic merge patches, and accepts all others`, async () => {
      const types = [...namespaces, { ...gadgets, lacksMergeKeys }];
      await using api = await RegistryFixture.open({ types });
      const made = await api.post(path, { apiVersion: 'apps/v1', kind: 'Gadget', metadata: { name: 'g' } });
      assert.equal(made.status, 201, made.text);
      const send = (contentType: string, body: unknown) => {
        const query = contentType === APPLY ? '?fieldManager=tool&force=true' : '';
        return api.send('PATCH', `${path}/g${query}`, { body, contentType });
      };
      for (const [contentType, body] of others) {
        const { status, text } = await send(contentType, body);
        assert.equal(status, 200, `${contentType}: ${text}`);
      }
      const { status, json } = await send(strategic, { metadata: { labels: { a: 'c' } } });
      if (!lacksMergeKeys) return assert.equal(status, 200);
      assert.deepEqual([status, json.reason], [415, 'UnsupportedMediaType']);
      assert.match(
        json.message,
        /: application\/json-patch\+json, application\/merge-patch\+json, application\/apply-patch\+yaml$/,
      );
      assert.deepEqual((await api.get(`${path}/g`)).json.metadata.labels, { a: 'b' });
    });
  }
});
