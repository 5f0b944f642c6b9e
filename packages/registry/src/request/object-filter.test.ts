import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answered } from '../testing/answers.ts';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const cms = '/api/v1/namespaces/default/configmaps';

async function seeded(count: number): Promise<RegistryFixture> {
  const api = await RegistryFixture.open();
  for (let i = 0; i < count; i++) {
    const labels = { odd: String(i % 2 === 1) };
    await api.post(cms, configMap(`cm-${String(i).padStart(3, '0')}`, {}, { labels }));
  }
  await api.settled();
  return api;
}

const namesIn = ({ json }: Answered): string[] =>
  json.items.map((item: { metadata: { name: string } }) => item.metadata.name);

describe('label and field selectors', () => {
  for (const [query, names] of [
    ['labelSelector=odd%3Dtrue', ['cm-001', 'cm-003']],
    ['labelSelector=odd%21%3Dtrue', ['cm-000', 'cm-002']],
    ['labelSelector=odd+in+(true,maybe)', ['cm-001', 'cm-003']],
    ['labelSelector=odd+notin+(true)', ['cm-000', 'cm-002']],
    ['labelSelector=odd', ['cm-000', 'cm-001', 'cm-002', 'cm-003']],
    ['labelSelector=%21odd', []],
    ['labelSelector=odd%3Dtrue,!even', ['cm-001', 'cm-003']],
    ['fieldSelector=metadata.name%3Dcm-002', ['cm-002']],
    ['fieldSelector=metadata.name%21%3Dcm-002', ['cm-000', 'cm-001', 'cm-003']],
    ['fieldSelector=metadata.namespace%3Ddefault,metadata.name%3D%3Dcm-001', ['cm-001']],
    ['fieldSelector=metadata.namespace%3Dother', []],
    ['labelSelector=odd%3Dtrue&fieldSelector=metadata.name%3Dcm-002', []],
  ] as const) {
    it(`a list with ${query} returns the matching objects`, async () => {
      await using api = await seeded(4);
      assert.deepEqual(namesIn(await api.get(`${cms}?${query}`)), names);
      assert.deepEqual(namesIn(await api.get(`/api/v1/configmaps?${query}`)), names);
    });
  }

  it('an unsupported field selector fails with the list of selectable fields', async () => {
    await using api = await seeded(0);
    const { json } = await api.get(`${cms}?fieldSelector=spec.nodeName%3Dx`);
    assert.match(json.message, /"spec.nodeName".*metadata.name, metadata.namespace/);
    const label = await api.get(`${cms}?labelSelector=a%3D%3D%3Db`);
    assert.match(label.json.message, /position 3/);
  });

  it('a watch with a selector gets ADDED and DELETED when objects start and stop to match', async () => {
    await using api = await seeded(0);
    const watching = await api.watch(`${cms}?watch=1&labelSelector=on&resourceVersion=0`);
    await api.post(cms, configMap('a'));
    await api.patch(`${cms}/a`, { metadata: { labels: { on: 'x' } } });
    await api.patch(`${cms}/a`, { data: { k: 'v' } });
    await api.patch(`${cms}/a`, { metadata: { labels: { on: null } } });
    await watching.until(3);
    assert.deepEqual(
      watching.events.map(({ type }) => type),
      ['ADDED', 'MODIFIED', 'DELETED'],
    );
    watching.stop();
  });
});
