import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRandom } from '@orch/machinery/env';
import { settle } from '@orch/machinery/testing';
import { issueCertificate } from '@orch/pki/x509';
import { ApiFixture } from '../testing/index.ts';
import type { ClusterAuthenticationInfo } from './authentication-data.ts';
import type { AuthenticationSource } from './extension-authentication-publisher.ts';

const now = Date.now();
const authority = (commonName: string, hoursLeft = 1): string =>
  issueCertificate(
    { commonName, use: 'authority', notBefore: now - 7_200_000, notAfter: now + hoursLeft * 3_600_000 },
    systemRandom,
  ).cert;
const [one, two] = [authority('one'), authority('two')];
const proxies = {
  authorities: [two],
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: [],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
  allowedNames: [],
  isGenerated: false,
};
const count = (text: string | undefined): number => (text ?? '').split('BEGIN CERTIFICATE').length - 1;

/** A source with the information that a server publishes; `count` is the number of publications. */
function sourceOf(info: () => ClusterAuthenticationInfo): AuthenticationSource & { count: number } {
  return {
    count: 0,
    read: async () => info(),
    async published() {
      this.count++;
    },
  };
}

describe('the publisher of the authentication configuration for extension API servers', () => {
  it('the config map is created, corrected after a minute, and not written when unchanged', async () => {
    await using api = await ApiFixture.open();
    const path = `/api/v1/namespaces/${api.names.namespaces.system}/configmaps/extension-apiserver-authentication`;
    const stop = new AbortController();
    let facts: ClusterAuthenticationInfo = { clients: [one], proxies: undefined };
    const source = sourceOf(() => facts);
    const map = api.registry.extensionAuthenticationPublisher(source);
    await map.publish(stop.signal);
    const running = map.run(stop.signal);
    const published = async () => {
      for (let turn = 0; turn < 50; turn++) await settle();
      await api.settled();
      return (await api.get(path)).json;
    };
    const made = await published();
    assert.deepEqual(made.data, { 'client-ca-file': `${one.trim()}\n` });

    await api.env.clock.advanceAsync(60_000);
    assert.equal((await published()).metadata.resourceVersion, made.metadata.resourceVersion);

    facts = { clients: [one], proxies };
    await api.env.clock.advanceAsync(60_000);
    assert.equal((await published()).data['requestheader-username-headers'], '["X-Remote-User"]');

    await api.delete(path);
    await api.env.clock.advanceAsync(60_000);
    assert.equal(count((await published()).data['requestheader-client-ca-file']), 1);
    assert.equal(source.count, 4);
    stop.abort();
    await running;
  });

  it('a server whose generated authority is refused reports it once, with what to do', async () => {
    await using api = await ApiFixture.open();
    const { signal } = new AbortController();
    const given = sourceOf(() => ({ clients: [], proxies }));
    const own = authority('own');
    const generated = sourceOf(() => ({
      clients: [],
      proxies: { ...proxies, authorities: [own], isGenerated: true },
      generatedProxies: { current: [own], expired: [] },
    }));
    await api.registry.extensionAuthenticationPublisher(given).publish(signal);
    const publisher = api.registry.extensionAuthenticationPublisher(generated);
    for (let round = 0; round < 3; round++) {
      await api.settled();
      await publisher.publish(signal);
    }
    const errors = api.env.entries.filter(({ level }) => level === 'error');
    assert.equal(errors.length, 1);
    assert.match(String(errors[0]?.['msg']), /give all servers the same --requestheader-client-ca-file/);
  });
});
