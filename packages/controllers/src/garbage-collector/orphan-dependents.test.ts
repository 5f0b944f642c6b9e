import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Resource } from '@orch/client';
import { namesFor, type ObjectMeta } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { AbsentOwners } from './absent-owners.ts';
import { orphanDependents } from './orphan-dependents.ts';
import { OwnerGraph } from './owner-graph.ts';
import { modelLive } from './testing/model-live.ts';
import { ModelObjects } from './testing/model-objects.ts';

const boxes: Resource = {
  group: 'example.com',
  version: 'v1',
  resource: 'boxes',
  kind: 'Box',
  namespaced: true,
};
const names = namesFor('orch');

/** An owner with dependents; `onWrite` is called with each write before it is processed. */
function fixture(dependents: number, onWrite: (writes: number) => void = () => {}) {
  const model = new ModelObjects([boxes], names, seededRandom(1));
  const graph = new OwnerGraph({ names, absent: new AbsentOwners(10), examine: () => {} });
  const create = (name: string, rest: ObjectMeta = {}): ObjectMeta => {
    const meta = model.create(boxes, { name, namespace: 'x', ...rest }) ?? {};
    graph.observe(boxes, meta);
    return meta;
  };
  const owner = create('o');
  const ownerReferences = [
    { apiVersion: 'example.com/v1', kind: 'Box', name: 'o', uid: owner.uid ?? '' },
    { apiVersion: 'example.com/v1', kind: 'Box', name: 'other', uid: 'other' },
  ];
  for (let i = 0; i < dependents; i++) create(`d${i}`, { ownerReferences });
  let writes = 0;
  const live = modelLive(model, {
    step: () => Promise.resolve(),
    onDelete: () => {},
    onChange: () => onWrite(++writes),
    observed: () => new Set(),
  });
  const owned = (): number =>
    model.all().filter(({ meta }) => meta.ownerReferences?.some(({ uid }) => uid === owner.uid)).length;
  return {
    model,
    graph,
    live,
    owner: { resource: boxes, meta: owner },
    owned,
    ownerReferences,
    writes: () => writes,
  };
}

describe('orphaning of dependents', () => {
  it('orphaning removes the reference to the owner from every dependent and keeps other references', async () => {
    const made = fixture(50);
    await orphanDependents(made, made.owner, new AbortController().signal);
    assert.equal(made.owned(), 0);
    assert.equal(made.writes(), 50);
    for (const { meta } of made.model.all())
      if (meta.name !== 'o')
        assert.deepEqual(
          meta.ownerReferences?.map(({ uid }) => uid),
          ['other'],
        );
  });

  it('orphaning continues with the current version of dependents that were changed meanwhile', async () => {
    const made = fixture(3);
    for (const target of made.model.all()) made.model.edit(target, { labels: { changed: 'yes' } });
    await orphanDependents(made, made.owner, new AbortController().signal);
    assert.equal(made.owned(), 0);
    for (const { meta } of made.model.all()) assert.deepEqual(meta.labels, { changed: 'yes' });
  });

  it('a dependent that adds the reference again is orphaned again', async () => {
    let isTaken = false;
    const made = fixture(2, (writes) => {
      if (writes !== 2 || isTaken) return;
      isTaken = true;
      const first = made.model.all().find(({ meta }) => meta.name === 'd0');
      assert.ok(first !== undefined);
      const meta = made.model.edit(first, { ownerReferences: made.ownerReferences });
      made.graph.observe(boxes, meta ?? {});
    });
    await orphanDependents(made, made.owner, new AbortController().signal);
    assert.ok(isTaken);
    assert.equal(made.owned(), 0);
  });

  it('orphaning sends no further requests after its signal has aborted', async () => {
    const stop = new AbortController();
    const made = fixture(500, (writes) => {
      if (writes === 1) stop.abort(new Error('over'));
    });
    await assert.rejects(orphanDependents(made, made.owner, stop.signal), /over/);
    // Requests in progress complete, and no others start.
    assert.ok(made.writes() <= 16, String(made.writes()));
    assert.ok(made.owned() >= 484);
  });
});
