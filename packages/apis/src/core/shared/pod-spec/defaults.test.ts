import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { derivePodIps } from './defaults.ts';

describe('addresses of pods', () => {
  for (const [title, status, expected] of [
    [
      'the newer field fills the older',
      { podIPs: [{ ip: 'a' }, { ip: 'b' }] },
      { podIP: 'a', podIPs: [{ ip: 'a' }, { ip: 'b' }] },
    ],
    ['the older field fills the newer', { podIP: 'a' }, { podIP: 'a', podIPs: [{ ip: 'a' }] }],
    [
      'the older field wins where they differ',
      { podIP: 'a', podIPs: [{ ip: 'b' }] },
      { podIP: 'a', podIPs: [{ ip: 'a' }] },
    ],
    ['none stays none', {}, {}],
  ] as const) {
    it(title, () => {
      const value: Record<string, unknown> = structuredClone(status);
      derivePodIps(value, undefined as never, undefined as never);
      assert.deepEqual(value, expected);
      assert.equal(
        derivePodIps(value, undefined as never, undefined as never),
        false,
        'a second time changes nothing',
      );
    });
  }
});
