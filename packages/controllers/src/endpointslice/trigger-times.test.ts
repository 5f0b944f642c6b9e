import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds, Stored } from '@orch/client';
import { metaOf, podWith } from '../testing/workloads.ts';
import { TriggerTimes } from './trigger-times.ts';

const at = (second: number): string => `2024-01-01T12:00:0${second}Z`;
const service = (second: number): Stored<kinds.core.Service> => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metaOf('web', { creationTimestamp: at(second) }),
});

describe('the time of the change that leads to slices', () => {
  it('the first slices of a service follow from its creation, and later ones from the earliest change of a pod since', () => {
    const times = new TriggerTimes();
    const next = (...pods: Parameters<typeof times.next>[2]) => times.next('n/web', service(1), pods);
    assert.equal(next(podWith('a', { since: at(3) })), at(1));
    assert.equal(next(podWith('a', { since: at(3) })), undefined);
    assert.equal(next(podWith('a', { since: at(5) }), podWith('b', { since: at(4) })), at(4));
    assert.equal(next(podWith('b', { since: at(4) })), undefined, 'a pod that is gone has no time');
  });

  it('a service with the name of one that is gone is a new one', () => {
    const times = new TriggerTimes();
    times.next('n/web', service(1), []);
    assert.equal(times.next('n/web', service(2), []), at(2));
    times.forget('n/web');
    assert.equal(times.next('n/web', service(2), []), at(2));
  });
});
