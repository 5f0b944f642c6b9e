import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor, namings } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import { serving } from '../transport/testing/certificates.ts';
import { inClusterConfig, isInCluster } from './in-cluster.ts';
import { files } from './testing/files.ts';

const { signal } = new AbortController();
const given = { token: 'abc\n', 'ca.crt': serving.cert, namespace: 'team-a\n' };

const environmentOf = (naming: 'orch' | 'kubernetes', host: string, port = '6443') => {
  const { serviceHost, servicePort } = namesFor(naming).environment;
  return { [serviceHost]: host, [servicePort]: port };
};

/** The settings of a pod with these files, under the first naming. */
function settings(contents: Readonly<Record<string, string>>, host = '10.0.0.1', port = '6443') {
  using folder = files(contents);
  return inClusterConfig({
    env: { clock: new FakeClock() },
    names: namesFor('orch'),
    environment: environmentOf('orch', host, port),
    folder: folder.folder,
  });
}

describe('in-cluster configuration', () => {
  for (const naming of namings) {
    it(`the in-cluster configuration is read from the environment and the files of the pod (${naming})`, async () => {
      using folder = files(given);
      const { credentials, ...rest } = inClusterConfig({
        env: { clock: new FakeClock() },
        names: namesFor(naming),
        environment: environmentOf(naming, '10.0.0.1'),
        folder: folder.folder,
      });
      assert.deepEqual(rest, {
        server: 'https://10.0.0.1:6443',
        ca: serving.cert,
        insecureSkipTlsVerify: false,
        disableCompression: false,
        namespace: 'team-a',
      });
      assert.deepEqual(await credentials.current(signal), { headers: { authorization: 'Bearer abc' } });
      folder.write('token', 'def');
      assert.equal(credentials.rejected(await credentials.current(signal)), true);
    });

    it(`a process is in a cluster when its environment has the address of the server (${naming})`, () => {
      const names = namesFor(naming);
      assert.equal(isInCluster({ names, environment: environmentOf(naming, '10.0.0.1') }), true);
      assert.equal(isInCluster({ names, environment: environmentOf(naming, '10.0.0.1', '') }), false);
      assert.equal(isInCluster({ names, environment: {} }), false);
      const other = naming === 'orch' ? 'kubernetes' : 'orch';
      assert.equal(isInCluster({ names, environment: environmentOf(other, '10.0.0.1') }), false);
    });
  }

  it('an IPv6 address of the in-cluster server gets brackets', () => {
    assert.equal(settings(given, 'fd00::1').server, 'https://[fd00::1]:6443');
  });

  it('the in-cluster configuration can be without a namespace', () => {
    const { namespace: _, ...rest } = given;
    assert.equal('namespace' in settings(rest), false);
  });

  for (const [what, contents, message] of [
    ['no token', { 'ca.crt': serving.cert }, /token: cannot be read: ENOENT/],
    ['an empty token', { ...given, token: ' ' }, /token: contains no token$/],
    ['no authority', { token: 'secret' }, /ca\.crt: cannot be read: ENOENT/],
    ['an invalid authority', { ...given, 'ca.crt': 'secret' }, /ca\.crt: holds no certificate in PEM$/],
  ] as const) {
    it(`the in-cluster configuration with ${what} is a ConfigError with the file`, () => {
      assert.throws(() => settings(contents), { name: 'ConfigError', message });
    });
  }

  for (const [host, port] of [
    ['', '6443'],
    ['10.0.0.1', ''],
    ['evil.test/x?', '443'],
    ['user@evil.test', '443'],
    ['10.0.0.1', '443/x'],
    ['10.0.0.1', '99999'],
  ] as const) {
    it(`the in-cluster configuration with the address ${JSON.stringify([host, port])} is a ConfigError`, () => {
      assert.throws(() => settings(given, host, port), { name: 'ConfigError' });
    });
  }
});
