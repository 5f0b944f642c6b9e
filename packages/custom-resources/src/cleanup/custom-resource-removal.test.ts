import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, settle, until } from '@orch/machinery/testing';
import { DEFAULT_STORE_PREFIX } from '@orch/registry';
import type { Answered } from '@orch/registry/testing';
import { ForwardingStore, prefixRange, type WatchBatch } from '@orch/storage';
import {
  conditionsOf,
  crontab,
  crontabs,
  DEFINITIONS,
  definition,
  established,
  GROUP,
  withCronTabs,
} from '../testing/crontabs.ts';
import { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const name = `crontabs.${GROUP}`;
const signal = new AbortController().signal;

/** The store of a replica whose watch lags behind: batches are delivered when the lag permits. */
class LaggingStore extends ForwardingStore {
  lag: () => Promise<void> = () => Promise.resolve();

  override async *watch(
    ...args: Parameters<ForwardingStore['watch']>
  ): AsyncGenerator<WatchBatch, void, undefined> {
    for await (const batch of this.inner.watch(...args)) {
      await this.lag();
      yield batch;
    }
  }
}

/** Two replicas on one store; the second one lags as `lagging.lag` says. */
async function twoReplicas(): Promise<{
  first: CustomResourcesFixture;
  second: CustomResourcesFixture;
  lagging: LaggingStore;
}> {
  const first = await CustomResourcesFixture.open();
  const lagging = new LaggingStore(first.model);
  const second = await CustomResourcesFixture.open({
    store: first.model,
    env: first.env,
    wrap: () => lagging,
  });
  assert.equal((await first.post(DEFINITIONS, definition())).status, 201);
  await established(first);
  await established(second);
  return { first, second, lagging };
}

/** Keys of custom objects in the store. */
async function storedObjects({ model }: CustomResourcesFixture): Promise<readonly string[]> {
  const { items } = await model.list(prefixRange(`${DEFAULT_STORE_PREFIX}${name}/`), {}, signal);
  return items.map(({ key }) => key);
}

const terminatingOf = ({ json }: Answered): string => {
  const condition = json.status?.conditions?.find(({ type }: { type: string }) => type === 'Terminating');
  return `${condition?.status} ${condition?.reason}: ${condition?.message}`;
};

const isRemoved = async (api: CustomResourcesFixture): Promise<boolean> =>
  (await api.get(`${DEFINITIONS}/${name}`)).status === 404;

describe('the removal of a definition on two replicas', () => {
  it('the removal of a definition on two replicas leaves no object in the store that a replica created which had not heard of it', async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { first, second, lagging } = await twoReplicas();
      await using _first = first;
      await using _second = second;
      const random = seededRandom(seed);
      lagging.lag = async () => {
        for (let turns = random.int(40); turns > 0; turns--) await settle();
      };
      const statuses = new Set<number>();
      let created = 0;
      const create = async (): Promise<void> => {
        for (let i = 0; i < 60 && !statuses.has(404); i++) {
          const { status } = await second.post(crontabs(), crontab(`c${created++}`));
          statuses.add(status);
          for (let turns = random.int(4); turns > 0; turns--) await settle();
        }
      };
      const creating = create();
      for (let turns = random.int(30); turns > 0; turns--) await settle();
      assert.equal((await first.delete(`${DEFINITIONS}/${name}`)).status, 200, `seed ${seed}`);
      await until(() => isRemoved(first), `seed ${seed}: the definition is removed`);
      await creating;
      lagging.lag = () => Promise.resolve();
      assert.deepEqual(await storedObjects(first), [], `seed ${seed}`);
      const others = [...statuses].filter((status) => ![201, 404, 405].includes(status));
      assert.deepEqual(others, [], `seed ${seed}`);
      assert.equal((await first.post(DEFINITIONS, definition())).status, 201);
      await established(first);
      assert.deepEqual((await first.get(crontabs())).json.items, [], `seed ${seed}`);
    }
  });

  it('the removal of a definition on two replicas refuses a creation by a replica that lags behind, once it has caught up', async () => {
    const { first, second, lagging } = await twoReplicas();
    await using _first = first;
    await using _second = second;
    const held = Promise.withResolvers<void>();
    lagging.lag = () => held.promise;
    const finalizers = ['example.com/hold'];
    await first.post(crontabs(), { ...crontab('held'), metadata: { name: 'held', finalizers } });
    await first.delete(`${DEFINITIONS}/${name}`);
    await until(
      async () => conditionsOf(await first.get(`${DEFINITIONS}/${name}`)).includes('Terminating=True'),
      'the deletion has started',
    );
    const posted = second.post(crontabs(), crontab('late'));
    const applied = second.send('PATCH', `${crontabs('applied')}?fieldManager=me`, {
      body: JSON.stringify(crontab('applied')),
      contentType: 'application/apply-patch+yaml',
    });
    for (let turn = 0; turn < 20; turn++) await settle();
    held.resolve();
    for (const answer of [await posted, await applied]) {
      assert.equal(answer.status, 405, answer.text);
      assert.match(
        answer.json.message,
        /^create not allowed while custom resource definition is terminating$/,
      );
    }
    assert.deepEqual(
      (await storedObjects(first)).map((key) => key.replace(/.*\//, '')),
      ['held'],
    );
  });

  it('the removal of a definition on two replicas refuses creations by POST, apply and dry run while it waits for finalizers', async () => {
    const { first, second } = await twoReplicas();
    await using _first = first;
    await using _second = second;
    const finalizers = ['example.com/hold'];
    await first.post(crontabs(), { ...crontab('held'), metadata: { name: 'held', finalizers } });
    await first.delete(`${DEFINITIONS}/${name}`);
    for (const api of [first, second]) {
      await until(
        async () => conditionsOf(await api.get(`${DEFINITIONS}/${name}`)).includes('Terminating=True'),
        'the deletion has started',
      );
      const apply = { body: JSON.stringify(crontab('late')), contentType: 'application/apply-patch+yaml' };
      for (const answer of [
        await api.post(crontabs(), crontab('late')),
        await api.post(`${crontabs()}?dryRun=All`, crontab('late')),
        await api.send('PATCH', `${crontabs('late')}?fieldManager=me`, apply),
      ])
        assert.deepEqual(
          [answer.status, answer.json.message],
          [405, 'create not allowed while custom resource definition is terminating'],
        );
      assert.equal((await api.patch(crontabs('held'), { spec: { replicas: 2 } })).status, 200);
    }
  });

  it('the removal of a definition on two replicas accepts creations by both replicas while the definition changes in other ways', async () => {
    const { first, second, lagging } = await twoReplicas();
    await using _first = first;
    await using _second = second;
    const random = seededRandom(7);
    lagging.lag = async () => {
      for (let turns = random.int(10); turns > 0; turns--) await settle();
    };
    for (let i = 0; i < 20; i++) {
      const changing = first.patch(`${DEFINITIONS}/${name}`, { metadata: { labels: { round: `${i}` } } });
      const answers = await Promise.all([
        first.post(crontabs(), crontab(`a${i}`)),
        second.post(crontabs(), crontab(`b${i}`)),
      ]);
      assert.equal((await changing).status, 200);
      for (const { status, text } of answers) assert.equal(status, 201, text);
    }
  });

  it('the removal of a definition on two replicas is done by both replicas without failures, and every object is deleted once', async () => {
    const { first, second } = await twoReplicas();
    await using _first = first;
    await using _second = second;
    for (let i = 0; i < 100; i++) await first.post(crontabs(), crontab(`c${i}`));
    const { resourceVersion } = (await first.get(crontabs())).json.metadata;
    const watch = await second.watch(`${crontabs()}?watch=true&resourceVersion=${resourceVersion}`);
    await first.delete(`${DEFINITIONS}/${name}`);
    await until(() => isRemoved(first), 'the definition is removed');
    await until(() => isRemoved(second), 'the definition is removed for the other replica');
    await watch.ended;
    const deleted = watch.events
      .filter(({ type }) => type === 'DELETED')
      .map(({ object }) => object.metadata.name);
    assert.deepEqual([deleted.length, new Set(deleted).size], [100, 100]);
    for (const { env } of [first, second])
      assert.deepEqual(
        env.entries.filter(({ level }) => level === 'warn' || level === 'error'),
        [],
      );
  });
});

describe('the condition of a definition that is being removed', () => {
  it('the condition of a definition that is being removed says that objects are deleted and, after a minute, that some remain', async () => {
    await using api = await withCronTabs();
    const finalizers = ['example.com/hold'];
    await api.post(crontabs(), { ...crontab('held'), metadata: { name: 'held', finalizers } });
    const deleted = await api.delete(`${DEFINITIONS}/${name}`);
    assert.equal(
      terminatingOf(deleted),
      'True InstanceDeletionPending: CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    );
    const says = (text: string): Promise<void> =>
      until(async () => {
        api.env.clock.advance(1000);
        return terminatingOf(await api.get(`${DEFINITIONS}/${name}`)) === text;
      }, text);
    await says('True InstanceDeletionInProgress: CustomResource deletion is in progress');
    await says(
      'True InstanceDeletionCheck: could not confirm zero CustomResources remaining: timed out waiting for the condition',
    );
    await api.patch(crontabs('held'), { metadata: { finalizers: null } });
    await until(async () => {
      api.env.clock.advance(1000);
      return isRemoved(api);
    }, 'the definition is removed');
  });
});
