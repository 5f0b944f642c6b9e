import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPullPolicy, derivePodIps } from './defaults.ts';

describe('when images are fetched', () => {
  for (const [image, policy] of [
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.25', 'IfNotPresent'],
    ['registry:5000/nginx', 'Always'],
    ['registry:5000/nginx:1.25', 'IfNotPresent'],
    ['registry:5000/a/nginx:latest', 'Always'],
    ['nginx@sha256:0123', 'IfNotPresent'],
    ['nginx:latest@sha256:0123', 'Always'],
    ['nginx:1@sha256:0123', 'IfNotPresent'],
    ['', 'Always'],
  ] as const) {
    it(`the default pull policy of the image ${JSON.stringify(image)} is ${policy}`, () =>
      assert.equal(defaultPullPolicy({ image }), policy));
  }
});

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
