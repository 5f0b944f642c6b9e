import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import {
  crontab,
  crontabs,
  DEFINITIONS,
  GROUP,
  schemaOf,
  spec,
  v1,
  withCronTabs,
} from '../testing/crontabs.ts';
import type { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const OBJECTS = 3000;
const WATCHES = 100;
const CHUNK = 700;

const path = `${DEFINITIONS}/crontabs.${GROUP}`;
const withTier = {
  ...v1,
  schema: schemaOf({
    spec: { ...spec, properties: { ...spec.properties, tier: { type: 'string', default: 'usual' } } },
  }),
};
const v2 = { ...withTier, name: 'v2', storage: false };

interface Item {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly tier?: string };
}

describe('a definition with thousands of objects and a hundred watches', { timeout: 120_000 }, () => {
  let api: CustomResourcesFixture;
  let written = 0;
  const write = async (version = 'v1'): Promise<string> => {
    const name = `c-${written++}`;
    const created = await api.post(crontabs('', version), crontab(name, '*', version));
    assert.equal(created.status, 201, created.text);
    return name;
  };
  before(async () => {
    api = await withCronTabs({}, [v1]);
    while (written < OBJECTS) await Promise.all(Array.from({ length: 50 }, () => write()));
  });
  after(() => api[Symbol.asyncDispose]());

  /** All objects, read in chunks. */
  async function listed(version: string): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (let token = ''; ; ) {
      const query = `?limit=${CHUNK}${token === '' ? '' : `&continue=${token}`}`;
      const { json, status, text } = await api.get(`${crontabs('', version)}${query}`);
      assert.equal(status, 200, text);
      items.push(...json.items);
      token = json.metadata.continue ?? '';
      if (token === '') return items;
    }
  }

  const versionOfList = async (version: string): Promise<string> =>
    (await api.get(`${crontabs('', version)}?limit=1`)).json.metadata.resourceVersion;

  /** Changes the definition while there are watches: each ends, and continues where it was when it is opened again. */
  async function change(changed: object, version = 'v1'): Promise<void> {
    const target = (from: string): string => `${crontabs('', version)}?watch=true&resourceVersion=${from}`;
    const from = await versionOfList(version);
    const watches = await Promise.all(Array.from({ length: WATCHES }, () => api.watch(target(from))));
    const before = await write(version);
    const { status, text } = await api.patch(path, { spec: changed });
    assert.equal(status, 200, text);
    await Promise.all(watches.map(({ ended }) => ended));
    const later = await write(version);
    for (const { events } of watches) {
      const seen: readonly string[] = events.map(({ object }) => object.metadata.name);
      const last = events.at(-1)?.object.metadata.resourceVersion ?? from;
      const resumed = await api.watch(target(last));
      const missing = [before, later].filter((name) => !seen.includes(name));
      await resumed.until(missing.length);
      assert.deepEqual(
        resumed.events.map(({ object }) => object.metadata.name),
        missing,
      );
      assert.ok(resumed.events.every(({ type }) => type === 'ADDED'));
      resumed.stop();
    }
  }

  async function hasAll(version: string, tier: string | undefined): Promise<void> {
    const items = await listed(version);
    assert.equal(items.length, written);
    assert.equal(new Set(items.map(({ metadata }) => metadata.name)).size, written);
    assert.ok(items.every((item) => item.spec.tier === tier));
  }

  it('a definition with thousands of objects and a hundred watches gets another schema, whose defaults all objects have, and another name of its lists', async () => {
    await hasAll('v1', undefined);
    await change({ versions: [withTier] });
    await hasAll('v1', 'usual');
    const names = {
      plural: 'crontabs',
      singular: 'tab',
      kind: 'CronTab',
      listKind: 'Tabs',
      shortNames: ['t'],
    };
    await change({ names });
    await hasAll('v1', 'usual');
    assert.equal((await api.get(`${crontabs()}?limit=1`)).json.kind, 'Tabs');
  });

  it('a definition with thousands of objects and a hundred watches gets a second version, in which objects are stored from then on, and loses the first', async () => {
    await change({ versions: [withTier, v2] });
    await hasAll('v2', 'usual');
    const stored = { ...v2, storage: true };
    await change({ versions: [{ ...withTier, storage: false }, stored] }, 'v2');
    await hasAll('v1', 'usual');
    await change({ versions: [{ ...withTier, storage: false, served: false }, stored] }, 'v2');
    await hasAll('v2', 'usual');
    assert.equal((await api.get(crontabs())).status, 404);
  });

  it('a definition with thousands of objects and a hundred watches is deleted with all objects, and every watch ends after their deletions', async () => {
    const from = await versionOfList('v2');
    const target = `${crontabs('', 'v2')}?watch=true&resourceVersion=${from}`;
    const watches = await Promise.all([1, 2, 3].map(() => api.watch(target)));
    assert.equal((await api.delete(path)).status, 200);
    await Promise.all(watches.map(({ ended }) => ended));
    for (const { events } of watches) {
      assert.equal(events.length, written);
      assert.ok(events.every(({ type }) => type === 'DELETED'));
    }
    await until(async () => (await api.get(path)).status === 404, 'the definition is gone');
    assert.equal((await api.get(crontabs('', 'v2'))).status, 404);
  });
});
