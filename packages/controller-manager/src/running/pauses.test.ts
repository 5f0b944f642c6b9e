import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinResources, type InformerFactory, informerFactory } from '@orch/client';
import { testClient } from '@orch/client/testing';
import { aborted } from '@orch/machinery/concurrency';
import { settle } from '@orch/machinery/testing';
import { Pauses, type Round } from './pauses.ts';

function fixture() {
  const { client, env } = testClient({ seed: 1 });
  const informers = informerFactory({ client, env });
  const { configmaps } = builtinResources(client.names).core.v1;
  const maps = client.resource(configmaps, 'default');
  const stop = new AbortController();
  const pauses = new Pauses();
  const rounds: Round[] = [];
  const seen: string[] = [];
  let working = 0;
  const work = async (round: Round, signal: AbortSignal): Promise<void> => {
    const number = rounds.push(round);
    working++;
    const informer = round.informers.informer(configmaps, {
      indexes: { name: (map) => [map.metadata.name] },
    });
    informer.subscribe(({ type, object }) => seen.push(`${number} ${type} ${object.metadata.name}`));
    await aborted(signal);
    working--;
  };
  const start = async (): Promise<{ readonly ended: Promise<void> }> => {
    const ended = Promise.all([pauses.run(informers, work, stop.signal), informers.run(stop.signal)]);
    await settle();
    return { ended: ended.then(() => undefined) };
  };
  return { pauses, maps, start, stop, rounds, seen, isWorking: () => working > 0 };
}

const moment = (version: number) => ({ version, mayDiffer: () => true });

describe('pauses of controllers', () => {
  it('no controller works during a pause, and its subscriptions have ended', async () => {
    const { pauses, maps, start, stop, seen, isWorking } = fixture();
    const { ended } = await start();
    await maps.create({ metadata: { name: 'a' } });
    await settle();
    await pauses.pause();
    assert.equal(isWorking(), false);
    await maps.create({ metadata: { name: 'b' } });
    await settle();
    assert.deepEqual(seen, ['1 added a']);
    stop.abort();
    await ended;
  });

  it('controllers of the next round get all objects of informers that have followed the server meanwhile', async () => {
    const { pauses, maps, start, stop, seen, rounds } = fixture();
    const { ended } = await start();
    await maps.create({ metadata: { name: 'a' } });
    await settle();
    await pauses.pause();
    const { metadata } = await maps.create({ metadata: { name: 'b' } });
    const version = Number(metadata.resourceVersion);
    await settle();
    assert.deepEqual(
      [version, version + 1].map((one) => pauses.haveReached(moment(one))),
      [true, false],
    );
    assert.equal(pauses.haveReached({ ...moment(version + 1), mayDiffer: () => false }), true);
    pauses.resume();
    await settle();
    assert.deepEqual(seen, ['1 added a', '2 added a', '2 added b']);
    assert.equal(rounds.length, 2);
    stop.abort();
    await ended;
  });

  it('a value that is kept is made once, ends with the informers, and must reach a moment too', async () => {
    const { pauses, start, stop, rounds } = fixture();
    const { ended } = await start();
    let isEnded = false;
    let hasReached = false;
    const make = (signal: AbortSignal) => {
      void aborted(signal).then(() => {
        isEnded = true;
      });
      return { hasReached: () => hasReached };
    };
    const first = rounds[0]?.kept.of('value', make);
    await pauses.pause();
    pauses.resume();
    await settle();
    assert.equal(rounds[1]?.kept.of('value', make), first);
    assert.equal(pauses.haveReached(moment(0)), false);
    hasReached = true;
    assert.deepEqual([pauses.haveReached(moment(0)), isEnded], [true, false]);
    stop.abort();
    await ended;
    assert.equal(isEnded, true);
  });

  it('a pause before the start lasts until it ends, and work that fails ends the run', async () => {
    const { pauses, start, stop, rounds } = fixture();
    await pauses.pause();
    const { ended } = await start();
    assert.equal(rounds.length, 0);
    pauses.resume();
    await settle();
    assert.equal(rounds.length, 1);
    stop.abort();
    await ended;
    const informers = { informer: assert.fail, run: aborted } satisfies InformerFactory;
    const failing = new Pauses().run(
      informers,
      () => Promise.reject(new Error('broken')),
      new AbortController().signal,
    );
    await assert.rejects(failing, /broken/);
  });
});
