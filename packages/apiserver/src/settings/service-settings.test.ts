import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, it } from 'node:test';
import { flagValues, splitCommandLine } from '@orch/program';
import { advertisedAddress } from '../advertise-address.ts';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { type Settings, settingsOf } from './settings.ts';

const settings = (...argv: readonly string[]): Settings =>
  settingsOf(flagValues(apiServerFlags, splitCommandLine(apiServerFlags, argv).given));

describe('the ranges of services', () => {
  it('settings of services have the documented defaults', () => {
    const { addresses, ports } = settings().services;
    assert.deepEqual([addresses.map(({ text }) => text), ports.text], [['10.0.0.0/24'], '30000-32767']);
  });

  it('the ranges of services are two for dual stack, the primary one first', () => {
    const { addresses } = settings('--service-cluster-ip-range=fd00::/112,10.96.0.0/16').services;
    assert.deepEqual(
      addresses.map(({ family }) => family),
      ['IPv6', 'IPv4'],
    );
  });

  for (const [flag, message] of [
    ['--service-cluster-ip-range=10.0.0.0', 'must be one or two ranges such as 10.0.0.0/16'],
    ['--service-cluster-ip-range=', 'must be one or two ranges such as 10.0.0.0/16'],
    ['--service-cluster-ip-range=10.0.0.0/8', 'a range of IPv4 has a prefix of at least 12'],
    ['--service-cluster-ip-range=10.0.0.0/24,10.1.0.0/24', 'two ranges must be one of IPv4 and one of IPv6'],
    ['--service-node-port-range=0-100', 'must be a range of ports such as 30000-32767'],
    ['--advertise-address=x', 'must be an address that other machines can reach'],
    ['--advertise-address=127.0.0.1', 'must be an address that other machines can reach'],
    ['--endpoint-reconciler-type=master-count', 'must be one of lease, none'],
  ] as const) {
    it(`settings of services refuse the flag ${flag}`, () => {
      assert.throws(
        () => settings(flag),
        (error) => error instanceof Error && error.name === 'UsageError' && error.message.endsWith(message),
      );
    });
  }
});

describe('the advertised address', () => {
  for (const [title, argv, expected] of [
    ['is that of the flag', ['--advertise-address=10.1.2.3', '--bind-address=10.1.2.4'], '10.1.2.3'],
    ['is the bound one', ['--bind-address=10.1.2.4'], '10.1.2.4'],
    [
      'is none when endpoints are not reconciled',
      ['--advertise-address=10.1.2.3', '--endpoint-reconciler-type=none'],
      undefined,
    ],
  ] as const) {
    it(title, () => assert.equal(advertisedAddress(settings(...argv)), expected));
  }

  for (const bind of ['0.0.0.0', '127.0.0.1', '::', '::1']) {
    it(`the advertised address is one that other machines can connect to, or none, for a server bound to ${bind}`, () => {
      const address = advertisedAddress(settings(`--bind-address=${bind}`));
      if (address === undefined) return;
      assert.notEqual(isIP(address), 0);
      assert.doesNotMatch(address, /^(127\.|0\.0\.0\.0|::1?$|169\.254\.|fe8)/);
    });
  }
});
