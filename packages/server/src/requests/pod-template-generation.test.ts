import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiFixture } from '../testing/api-fixture.ts';

const templates = '/api/v1/namespaces/default/podtemplates';
const template = (image: string): object => ({
  metadata: { name: 'a' },
  template: { spec: { containers: [{ name: 'c', image }] } },
});

describe('the generation of a pod template', () => {
  for (const [release, generations] of [
    ['1.21', [undefined, undefined, undefined]],
    ['1.22', [1, 1, 2]],
  ] as const)
    it(`the generation of a pod template counts changes of its template from 1.22 on: ${release}`, async () => {
      await using api = await ApiFixture.open({ release });
      const created = await api.post(templates, template('a'));
      const path = `${templates}/a`;
      const contentType = 'application/merge-patch+json';
      const patch = (body: object) => api.send('PATCH', path, { body, contentType });
      const labelled = await patch({ metadata: { labels: { a: 'b' } } });
      const changed = await patch(template('b'));
      const seen = [created, labelled, changed].map(({ json }) => json.metadata.generation);
      assert.deepEqual(seen, generations);
    });
});
