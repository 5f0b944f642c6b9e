import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Resource } from '@orch/client';
import { namesFor, type ObjectMeta } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { AbsentOwners } from './absent-owners.ts';
import { letDependentsGo } from './let-go.ts';
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

/** An owner with dependents; `onWrite` is called with each write before it is carried out. */
function world(dependents: number, onWrite: (writes: number) => void = () => {}) {
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
    turn: () => Promise.resolve(),
    onDelete: () => {},
    onChange: () => onWrite(++writes),
    seen: () => new Set(),
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

describe('letDependentsGo', () => {
  it('takes one reference from every dependent and leaves the others', async () => {
    const made = world(50);
    await letDependentsGo(made, made.owner, new AbortController().signal);
    assert.equal(made.owned(), 0);
    assert.equal(made.writes(), 50);
    for (const { meta } of made.model.all())
      if (meta.name !== 'o')
        assert.deepEqual(
          meta.ownerReferences?.map(({ uid }) => uid),
          ['other'],
        );
  });

  it('goes on with the current state of dependents that were changed meanwhile', async () => {
    const made = world(3);
    for (const target of made.model.all()) made.model.edit(target, { labels: { changed: 'yes' } });
    await letDependentsGo(made, made.owner, new AbortController().signal);
    assert.equal(made.owned(), 0);
    for (const { meta } of made.model.all()) assert.deepEqual(meta.labels, { changed: 'yes' });
  });

  it('lets go again what takes the reference up again', async () => {
    let isTaken = false;
    const made = world(2, (writes) => {
      if (writes !== 2 || isTaken) return;
      isTaken = true;
      const first = made.model.all().find(({ meta }) => meta.name === 'd0');
      assert.ok(first !== undefined);
      const meta = made.model.edit(first, { ownerReferences: made.ownerReferences });
      made.graph.observe(boxes, meta ?? {});
    });
    await letDependentsGo(made, made.owner, new AbortController().signal);
    assert.ok(isTaken);
    assert.equal(made.owned(), 0);
  });

  it('begins no more when its time is over', async () => {
    const stop = new AbortController();
    const made = world(500, (writes) => {
      if (writes === 1) stop.abort(new Error('over'));
    });
    await assert.rejects(letDependentsGo(made, made.owner, stop.signal), /over/);
    // Those that were under way end, and nothing else begins.
    assert.ok(made.writes() <= 16, String(made.writes()));
    assert.ok(made.owned() >= 484);
  });
});
