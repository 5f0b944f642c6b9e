import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { orchFlags } from '@orch/orch/parts';
import { BadValue, type Flag } from '@orch/program';
import { flagsOf } from './flags-of.ts';
import { refusedFlags } from './refused-flags.ts';
import { startControlPlane } from './start-control-plane.ts';

const folders = { folder: '/nowhere', certificates: '/nowhere/certs' };
const texts = [
  ...[
    'true',
    'false',
    '7',
    '0.5',
    '0.01',
    '77s',
    'a',
    'a=b',
    '10.1.0.0/16',
    '127.0.0.9',
    '127.0.0.9:0',
    '1.30',
  ],
  ...['orch', 'kubernetes', 'text', 'VersionTLS13', 'Hostname', 'none', 'etcd', 'ABAC', 'AlwaysAdmit', 'v1'],
  ...['legacy', 'batch', 'audit.k8s.io/v1'],
];

/** A value that a flag accepts; another one than the default if there is one among the texts. */
function acceptedBy({ name, initial, read }: Flag<unknown>): string {
  const accepted = texts.flatMap((text) => {
    try {
      return [{ text, isOther: JSON.stringify(read(text, undefined)) !== JSON.stringify(initial) }];
    } catch (error) {
      if (error instanceof BadValue) return [];
      throw error;
    }
  });
  const found = accepted.find(({ isOther }) => isOther) ?? accepted[0];
  if (found === undefined) throw new Error(`the test has no value for --${name}`);
  return found.text;
}

describe('flags of a control plane of a test', () => {
  const all: readonly (readonly [string, Flag<unknown>])[] = Object.entries(orchFlags);

  it('each flag of orch up is either followed, or refused by its name with the reason', () => {
    for (const [key, flag] of all) {
      const text = acceptedBy(flag);
      for (const name of [flag.name, flag.alias ?? flag.name]) {
        const start = (): object => flagsOf({ flags: [`--${name}=${text}`] }, folders);
        const reason = refusedFlags[flag.name];
        if (reason === undefined) {
          assert.deepEqual(new Map(Object.entries(start())).get(key), flag.read(text, undefined), name);
        } else {
          const message = `--${name} cannot be used in a control plane of a test: ${reason}`;
          assert.throws(start, { name: 'UsageError', message });
        }
      }
    }
  });

  it('only flags that exist are refused', () => {
    const names = new Set(all.map(([, { name }]) => name));
    assert.deepEqual(
      Object.keys(refusedFlags).filter((name) => !names.has(name)),
      [],
    );
  });

  it('a control plane with a refused flag does not start', async () => {
    await assert.rejects(startControlPlane({ flags: ['--feature-gates=A=true', '--console'] }), {
      name: 'UsageError',
      message: /^--console cannot be used .*orchctl console$/,
    });
  });
});
