import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, errors } from '@orch/machinery';
import { settle } from '@orch/machinery/testing';
import { testClient } from '../testing/index.ts';
import { eventRecorder } from './event-recorder.ts';
import type { EventNote } from './types.ts';

const pod: ApiObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', namespace: 'shop', uid: 'u1', resourceVersion: '7' },
};
const note = (message: string): EventNote => ({ type: 'Warning', reason: 'BackOff', message });

function open(options: Parameters<typeof testClient>[0] = {}) {
  const test = testClient(options);
  const recorder = eventRecorder({ ...test, component: 'tester', host: 'here' });
  const run = recorder.run(test.stop.signal);
  const drain = async (): Promise<ApiObject[]> => {
    for (let i = 0; i < 200; i++) await settle();
    return test.api.objects.list('/events').map(({ object }) => object);
  };
  return { ...test, recorder, run, drain };
}

const brief = (events: readonly ApiObject[]): unknown[] =>
  events.map(({ message, count }) => `${message} ×${count}`).sort();

describe('event recorder', () => {
  it('an Event has object, reason, message, time and component', async () => {
    const test = open();
    test.recorder.record(pod, note('it fell over'));
    const [event] = await test.drain();
    assert.match(event?.metadata.name ?? '', /^web-1\.[0-9a-f]{16}$/);
    const { metadata, ...rest } = event ?? { metadata: {} };
    assert.equal(metadata.namespace, 'shop');
    assert.deepEqual(rest, {
      apiVersion: 'v1',
      kind: 'Event',
      involvedObject: {
        apiVersion: 'v1',
        kind: 'Pod',
        namespace: 'shop',
        name: 'web-1',
        uid: 'u1',
        resourceVersion: '7',
      },
      type: 'Warning',
      reason: 'BackOff',
      message: 'it fell over',
      source: { component: 'tester', host: 'here' },
      firstTimestamp: '2024-01-01T00:00:00Z',
      lastTimestamp: '2024-01-01T00:00:00Z',
      count: 1,
      reportingComponent: 'tester',
      reportingInstance: 'here',
    });
    test.stop.abort();
    await test.run;
  });

  it('equal events increase the count of one Event, which is written again with its count when it is gone', async () => {
    const test = open();
    for (let i = 0; i < 3; i++) test.recorder.record(pod, note('again'));
    test.env.clock.advance(60_000);
    test.recorder.record(pod, note('again'));
    const [event] = await test.drain();
    assert.deepEqual([event?.['count'], event?.['lastTimestamp']], [4, '2024-01-01T00:01:00Z']);
    const { namespace = '', name = '' } = event?.metadata ?? {};
    test.api.objects.delete({ collection: '/events', namespace, name }, {}, '');
    // An hour later, as the Event has expired.
    test.env.clock.advance(3_600_000);
    test.recorder.record(pod, note('again'));
    const [later] = await test.drain();
    assert.deepEqual(
      [later?.metadata.name, later?.['count'], later?.['firstTimestamp'], later?.['lastTimestamp']],
      [name, 5, '2024-01-01T00:00:00Z', '2024-01-01T01:01:00Z'],
    );
    test.stop.abort();
  });

  it('the tenth message of a reason about one object and later ones are combined, until it has paused for ten minutes', async () => {
    const test = open();
    for (let i = 1; i <= 14; i++) test.recorder.record(pod, note(`try ${i}`));
    test.recorder.record(pod, note('try 2'));
    const separate = (n: number): string[] => Array.from({ length: n }, (_, i) => `try ${i + 1} ×1`);
    const found = ['(combined from similar events): try 14 ×5', ...separate(9)].map((text) =>
      text.replace('try 2 ×1', 'try 2 ×2'),
    );
    assert.deepEqual(brief(await test.drain()), found);
    test.env.clock.advance(601_000);
    test.recorder.record(pod, note('try 15'));
    assert.deepEqual(brief(await test.drain()), [...found, 'try 15 ×1'].sort());
    test.stop.abort();
  });

  it('the rate of events is limited per object, and the next one that is written counts those that were not', async () => {
    const test = open();
    for (let i = 0; i < 100; i++) test.recorder.record(pod, note('noise'));
    const quiet = { ...pod, metadata: { ...pod.metadata, name: 'quiet', uid: 'u2' } };
    test.recorder.record(quiet, note('once'));
    assert.deepEqual(brief(await test.drain()), ['noise ×25', 'once ×1']);
    assert.match(
      test.env.metrics.text(),
      /event_recorder_events_total\{component="tester",result="limited"\} 75\n/,
    );
    test.env.clock.advance(300_000);
    test.recorder.record(pod, note('noise'));
    test.recorder.record(pod, note('noise'));
    assert.deepEqual(brief(await test.drain()), ['noise ×101', 'once ×1']);
    test.stop.abort();
  });

  it('events about cluster-scoped objects are in the default namespace, with a valid name', async () => {
    const test = open();
    const names = ['system:node:X', 'a'.repeat(253), '...', 'a.-b'];
    for (const name of names) {
      test.recorder.record({ apiVersion: 'v1', kind: 'Node', metadata: { name } }, note(name));
    }
    const events = await test.drain();
    assert.equal(events.length, names.length);
    for (const { metadata } of events) {
      assert.equal(metadata.namespace, 'default');
      assert.match(metadata.name ?? '', /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/);
      assert.ok((metadata.name?.length ?? 999) <= 253);
    }
    test.stop.abort();
  });

  it('recording neither throws nor waits, and continues after failures of the server', async () => {
    let failures = 100;
    const test = open({
      between: async (_, __, send) => {
        if (failures-- > 0) throw errors.internal(undefined);
        return await send();
      },
    });
    for (let i = 0; i < 2000; i++) {
      test.recorder.record({ ...pod, metadata: { ...pod.metadata, uid: `u${i}` } }, note('lost'));
    }
    test.recorder.record({ metadata: {} }, note('about nothing'));
    failures = 4;
    await test.env.clock.advanceAsync(60_000);
    // One was being written, and a thousand waited.
    assert.equal((await test.drain()).length, 1001);
    assert.match(test.env.metrics.text(), /result="dropped"\} 999\n/);
    test.stop.abort();
    await test.run;
  });

  it('events that the server rejects are dropped', async () => {
    const test = open({
      between: async () => {
        throw errors.forbidden({ group: '', kind: 'events' }, 'no');
      },
    });
    test.recorder.record(pod, note('secret'));
    await test.drain();
    assert.equal(test.env.clock.pending, 0);
    assert.match(test.env.metrics.text(), /result="dropped"\} 1\n/);
    test.stop.abort();
  });
});
