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

describe('chunked lists (spec 4.6)', () => {
  it('the pages of a list show one state, with the number of remaining items', async () => {
    await using api = await seeded(7);
    const pages: Answered[] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const page: Answered = await api.get(`${cms}?limit=3${token === '' ? '' : `&continue=${token}`}`);
      pages.push(page);
      token = page.json.metadata.continue;
      await api.post(cms, configMap(`cm-00${pages.length}x`));
    }
    assert.deepEqual(
      pages.map((page) => namesIn(page).length),
      [3, 3, 1],
    );
    assert.equal(new Set(pages.flatMap(namesIn)).size, 7);
    assert.equal(new Set(pages.map((page) => page.json.metadata.resourceVersion)).size, 1);
    assert.deepEqual(
      pages.map((page) => page.json.metadata.remainingItemCount),
      [4, 1, undefined],
    );
    assert.equal(pages.at(-1)?.json.metadata.continue, undefined);
  });

  it('the pages of a list with selectors have no number of remaining items', async () => {
    await using api = await seeded(7);
    const page = await api.get(`${cms}?limit=2&labelSelector=odd%3Dfalse`);
    assert.deepEqual(namesIn(page), ['cm-000', 'cm-002']);
    assert.ok(page.json.metadata.continue);
    assert.equal(page.json.metadata.remainingItemCount, undefined);
    const next = await api.get(
      `${cms}?limit=9&labelSelector=odd%3Dfalse&continue=${page.json.metadata.continue}`,
    );
    assert.deepEqual(namesIn(next), ['cm-004', 'cm-006']);
  });

  it('a continue token is valid only for its list, unmodified', async () => {
    await using api = await seeded(3);
    const token: string = (await api.get(`${cms}?limit=1`)).json.metadata.continue;
    assert.equal((await api.get(`${cms}?limit=1&continue=${token}`)).status, 200);
    const flipped = `${token.slice(0, 5)}${token[5] === 'A' ? 'B' : 'A'}${token.slice(6)}`;
    const tail = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`;
    for (const target of [
      `${cms}?limit=1&continue=${flipped}`,
      `${cms}?limit=1&continue=${tail}`,
      `${cms}?limit=1&continue=${token}AA`,
      `${cms}?limit=1&continue=${token}%3D`,
      `${cms}?limit=1&continue=%F0%9F%92%A9`,
      `${cms}?limit=1&labelSelector=odd&continue=${token}`,
      `${cms}?limit=1&fieldSelector=metadata.name%3Dx&continue=${token}`,
      `/api/v1/configmaps?limit=1&continue=${token}`,
      `/api/v1/namespaces/other/configmaps?limit=1&continue=${token}`,
      `/api/v1/namespaces/default/secrets?limit=1&continue=${token}`,
    ]) {
      const { status, json } = await api.get(target);
      assert.deepEqual([status, json.reason], [400, 'BadRequest'], target);
    }
  });

  it('a continue token of one replica is valid on all others', async () => {
    await using first = await seeded(3);
    await using second = await RegistryFixture.open({ store: first.model, seed: 2 });
    const page = await first.get(`${cms}?limit=2`);
    const next = await second.get(`${cms}?limit=2&continue=${page.json.metadata.continue}`);
    assert.deepEqual([next.status, namesIn(next)], [200, ['cm-002']]);
    const back = (await second.get(`${cms}?limit=1`)).json.metadata.continue;
    assert.equal((await first.get(`${cms}?limit=1&continue=${back}`)).status, 200);
  });

  it('an expired continue token fails with 410 and a token for the remainder in the current state', async () => {
    await using api = await seeded(4);
    const page = await api.get(`${cms}?limit=2`);
    await api.delete(`${cms}/cm-002`);
    await api.post(cms, configMap('cm-009'));
    await api.settled();
    await api.env.clock.advanceAsync(5 * 60_000 + 1000);
    const expired = await api.get(`${cms}?limit=2&continue=${page.json.metadata.continue}`);
    assert.deepEqual([expired.status, expired.json.reason, expired.json.code], [410, 'Expired', 410]);
    const rest = await api.get(`${cms}?limit=5&continue=${expired.json.metadata.continue}`);
    assert.deepEqual([rest.status, namesIn(rest)], [200, ['cm-003', 'cm-009']]);
    assert.notEqual(rest.json.metadata.resourceVersion, page.json.metadata.resourceVersion);
  });

  it('a continue token for a compacted state fails with 410', async () => {
    await using api = await seeded(4);
    await using other = await RegistryFixture.open({ store: api.model, seed: 2 });
    const page = await api.get(`${cms}?limit=2`);
    await api.post(cms, configMap('later'));
    await other.settled();
    const { signal } = new AbortController();
    await api.model.compact(await api.model.currentRevision(signal), signal);
    await using fresh = await RegistryFixture.open({ store: api.model, seed: 3 });
    const { status, json } = await fresh.get(`${cms}?limit=2&continue=${page.json.metadata.continue}`);
    assert.deepEqual([status, json.reason], [410, 'Expired']);
    assert.ok(json.metadata.continue);
  });
});
