import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writePath } from '../../../testing/write-path.ts';
import { pods } from '../../pod/index.ts';
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

describe('policies of resizing', () => {
  const policiesIn = (release: string, gates: readonly string[] = []): unknown => {
    const { object } = writePath(undefined, release, { openGates: new Set(gates) }).create(pods, {
      metadata: { name: 'p' },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            resources: { requests: { cpu: '1', memory: '1' } },
            resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }],
          },
        ],
      },
    });
    const { containers } = object['spec'] as { containers: readonly { resizePolicy?: unknown }[] };
    return containers[0]?.resizePolicy;
  };

  it('containers have policies for what they request in the first stage of the feature only', () => {
    const given = { resourceName: 'memory', restartPolicy: 'RestartContainer' };
    assert.deepEqual(policiesIn('1.32', ['InPlacePodVerticalScaling']), [
      given,
      { resourceName: 'cpu', restartPolicy: 'NotRequired' },
    ]);
    assert.deepEqual(policiesIn('1.32'), undefined);
    assert.deepEqual(policiesIn('1.33'), [given]);
  });
});
