import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { served } from '../namespace/testing/discovered-api.ts';
import { MIGRATION_PATH, MigratedApi, WIDGET_PATH, widgets } from './testing/migrated-api.ts';

const SETTLE_MS = 5000;

const assertState = (api: MigratedApi, type: string, message: RegExp, status = 'True'): void => {
  const condition = api.condition(type);
  assert.equal(condition?.status, status, JSON.stringify(api.migration()['status']));
  assert.match(condition?.message ?? '', message);
};

const assertStoredOnce = (api: MigratedApi, count: number): void => {
  const writes = api.writes();
  assert.equal(writes.size, count);
  assert.deepEqual([...new Set(writes.values())], [1]);
};

describe('storage version migrations', () => {
  it('a migration stores every object again once and reports its progress after each page', async () => {
    const api = new MigratedApi();
    api.addWidgets(600);
    api.migrate();
    const messages = new Set<string | undefined>();
    for (let waitMs = await api.step(); waitMs !== undefined; waitMs = await api.step()) {
      assert.equal(waitMs, 0);
      messages.add(api.condition('Running')?.message);
    }
    assertStoredOnce(api, 600);
    assert.deepEqual(
      [...messages],
      [0, 250, 500].map((n) => `${n} objects examined, ${n} of them stored again`),
    );
    assertState(api, 'Succeeded', /^600 objects examined, 600 of them stored again$/);
    assertState(api, 'Running', /^$/, 'False');
    assert.equal(api.condition('Succeeded')?.reason, 'StorageVersionMigrationSucceeded');
  });

  it('a migration of a resource without objects succeeds', async () => {
    const api = new MigratedApi();
    api.migrate();
    await api.finish();
    assertState(api, 'Succeeded', /^0 objects examined/);
  });

  it('a migration with a result is not executed again', async () => {
    const api = new MigratedApi();
    api.addWidgets(1);
    api.migrate();
    await api.finish();
    const { revision } = api.objects;
    assert.equal(await api.step(), undefined);
    assert.equal(api.objects.revision, revision);
  });

  it('objects that were written or deleted since the beginning are not stored again', async () => {
    const api = new MigratedApi();
    api.addWidgets(300);
    api.migrate();
    await api.step();
    api.writeWidget('w0001');
    api.deleteWidget('w0002');
    await api.step();
    // The next page shows the state of the first one.
    api.writeWidget('w0270');
    api.deleteWidget('w0271');
    await api.finish();
    assertState(api, 'Succeeded', /^299 objects examined, 296 of them stored again$/);
    assertStoredOnce(api, 298);
  });

  it('a migration whose continue token has expired continues in the current state', async () => {
    const api = new MigratedApi();
    api.addWidgets(600);
    api.migrate();
    await api.step();
    await api.step();
    api.objects.compact();
    await api.finish();
    assertState(api, 'Succeeded', /examined/);
    assertStoredOnce(api, 600);
  });

  it('a controller that starts in the middle of a migration continues it', async () => {
    const api = new MigratedApi();
    api.addWidgets(600);
    api.migrate();
    await api.step();
    await api.step();
    const requests = api.made.api.requests.length;
    await api.restarted().finish();
    assertState(api, 'Succeeded', /^600 objects examined, 600 of them stored again$/);
    assertStoredOnce(api, 600);
    const patches = api.made.api.requests.slice(requests).filter(({ method }) => method === 'PATCH');
    assert.equal(patches.filter(({ target }) => target.startsWith(WIDGET_PATH)).length, 350);
  });

  describe('failures of storage version migrations', () => {
    it('an object that cannot be stored at present is the reason of a retry, and the condition states it', async () => {
      const api = new MigratedApi();
      api.addWidgets(3);
      api.migrate();
      await api.step();
      api.made.failures.set(`PATCH ${WIDGET_PATH}/w0001`, 500);
      await assert.rejects(api.step(), /injected failure/);
      assertState(api, 'Running', /^0 objects examined.*; to be retried: injected failure of .*w0001$/);
      const { revision } = api.objects;
      await assert.rejects(api.step(), /injected failure/);
      assert.equal(api.objects.revision, revision, 'the same failure is reported once');
      api.made.failures.clear();
      await api.finish();
      assertState(api, 'Succeeded', /^3 objects examined/);
      assertStoredOnce(api, 3);
    });

    it('a list that fails is the reason of a retry, and the condition states it', async () => {
      const api = new MigratedApi();
      api.migrate();
      api.made.failures.set('/apis/example.com/v1/widgets', 500);
      await assert.rejects(api.step(), /injected failure/);
      assertState(api, 'Running', /to be retried: injected failure/);
    });

    it('a conflict that no other write explains is the reason of a retry', async () => {
      const api = new MigratedApi();
      api.addWidgets(1);
      api.migrate();
      await api.step();
      api.made.failures.set(`PATCH ${WIDGET_PATH}/w0000`, 409);
      await assert.rejects(api.step(), /injected failure/);
      assert.equal(api.condition('Succeeded'), undefined);
    });

    it('an update of the status that another write precedes is retried without a report', async () => {
      const api = new MigratedApi();
      api.migrate();
      api.made.failures.set(`PATCH ${MIGRATION_PATH}/status`, 409);
      const { revision } = api.objects;
      await assert.rejects(api.step(), /injected failure/);
      assert.equal(api.objects.revision, revision);
    });

    it('a migration fails when the server refuses objects, after all others were stored', async () => {
      const api = new MigratedApi();
      api.addWidgets(300);
      api.migrate();
      for (const name of ['w0001', 'w0002', 'w0003', 'w0280'])
        api.made.failures.set(`PATCH ${WIDGET_PATH}/${name}`, 422);
      await api.finish();
      assertState(
        api,
        'Failed',
        /^300 objects examined, 296 of them stored again; the server refused to store 4: x\/w0001: injected.*; x\/w0002: .*; x\/w0003: .*; …$/,
      );
      assertState(api, 'Running', /^$/, 'False');
      assertStoredOnce(api, 296);
    });

    it('a migration fails early when the server refuses many objects', async () => {
      const api = new MigratedApi();
      api.addWidgets(600);
      api.migrate();
      for (let i = 0; i < 10; i++) api.made.failures.set(`PATCH ${WIDGET_PATH}/w000${i}`, 403);
      await api.finish();
      assertState(
        api,
        'Failed',
        /^250 objects examined, 240 of them stored again; the server refused to store 10/,
      );
    });

    it('a migration of an unknown resource waits a minute for it and then fails', async () => {
      const api = new MigratedApi();
      api.migrate({ group: 'example.com', resource: 'gadgets' });
      assert.equal(await api.step(), 2000);
      assertState(api, 'Running', /^the server does not serve gadgets\.example\.com$/, 'False');
      await api.made.env.clock.advanceAsync(57_000);
      assert.equal(await api.step(), 2000);
      await api.finish();
      assertState(api, 'Failed', /^the server does not serve gadgets\.example\.com$/);
    });

    it('a migration begins when its resource appears within a minute', async () => {
      const api = new MigratedApi();
      api.made.resources.delete(widgets);
      api.migrate();
      await api.step();
      api.made.resources.add(widgets);
      await api.finish();
      assertState(api, 'Succeeded', /^0 objects/);
    });

    it('a group that cannot be discovered is not an unknown resource', async () => {
      const api = new MigratedApi();
      api.migrate();
      await api.made.env.clock.advanceAsync(120_000);
      api.made.failures.set('/apis/example.com/v1', 503);
      await assert.rejects(api.step(), /example\.com\/v1 cannot be discovered/);
      assert.equal(api.condition('Failed'), undefined);
    });

    it('a migration of a resource that cannot be patched fails', async () => {
      const api = new MigratedApi([served('statuses', 'Status', { verbs: ['get', 'list'] })]);
      api.migrate({ group: '', resource: 'statuses' });
      await api.finish();
      assertState(api, 'Failed', /^statuses does not support patch$/);
    });
  });

  describe('status.storedVersions of definitions after migrations', () => {
    it('storedVersions has the storage version only after a migration', async () => {
      const api = new MigratedApi();
      api.addWidgets(3);
      api.define(2, ['v1', 'v2']);
      api.migrate();
      assert.equal(await api.step(), SETTLE_MS, 'other servers get time to learn of the definition');
      assert.equal(api.migration()['status'] && api.condition('Running'), undefined);
      await api.made.env.clock.advanceAsync(SETTLE_MS);
      await api.finish();
      assertState(api, 'Succeeded', /^3 objects examined, 3 of them stored again$/);
      assert.deepEqual(api.storedVersions(), ['v2']);
    });

    it('a definition that changes before the beginning gets the whole time again', async () => {
      const api = new MigratedApi();
      api.define(2, ['v1', 'v2']);
      api.migrate();
      await api.step();
      await api.made.env.clock.advanceAsync(SETTLE_MS - 1);
      assert.equal(await api.step(), 1);
      api.redefine(3);
      assert.equal(await api.step(), SETTLE_MS);
    });

    it('storedVersions is not reduced when the definition changes during the migration', async () => {
      const api = new MigratedApi();
      api.addWidgets(300);
      api.define(2, ['v1', 'v2']);
      api.migrate();
      await api.step();
      await api.made.env.clock.advanceAsync(SETTLE_MS);
      await api.step();
      api.redefine(3);
      await api.finish();
      assertState(
        api,
        'Succeeded',
        /the definition was changed meanwhile: its status\.storedVersions is not reduced/,
      );
      assert.deepEqual(api.storedVersions(), ['v1', 'v2']);
    });

    it('storedVersions is not reduced when objects could not be stored again', async () => {
      const api = new MigratedApi();
      api.addWidgets(3);
      api.define(2, ['v1', 'v2']);
      api.migrate();
      api.made.failures.set(`PATCH ${WIDGET_PATH}/w0001`, 422);
      await api.finish();
      assertState(api, 'Failed', /refused to store 1: x\/w0001/);
      assert.deepEqual(api.storedVersions(), ['v1', 'v2']);
    });
  });
});
