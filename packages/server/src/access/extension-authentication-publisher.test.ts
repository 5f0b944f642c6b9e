import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRandom } from '@orch/machinery';
import { settle } from '@orch/machinery/testing';
import { issueCertificate } from '@orch/pki/x509';
import { ApiFixture } from '../testing/index.ts';
import { type ClusterAuthenticationInfo, merged } from './extension-authentication-publisher.ts';

const now = Date.now();
const authority = (commonName: string, hoursLeft = 1): string =>
  issueCertificate(
    { commonName, use: 'authority', notBefore: now - 7_200_000, notAfter: now + hoursLeft * 3_600_000 },
    systemRandom,
  ).cert;
const [one, two, late] = [authority('one'), authority('two'), authority('late', -1)];
const proxies = {
  authorities: [two],
  usernameHeaders: ['X-Remote-User'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
  allowedNames: [],
};
const count = (text: string | undefined): number => (text ?? '').split('BEGIN CERTIFICATE').length - 1;

describe('authentication configuration for extension API servers', () => {
  it('the published configuration follows the flags of the server', () => {
    const data = merged({}, { clients: [one], proxies }, now);
    assert.deepEqual(data, {
      'client-ca-file': `${one.trim()}\n`,
      'requestheader-client-ca-file': `${two.trim()}\n`,
      'requestheader-username-headers': '["X-Remote-User"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
      'requestheader-allowed-names': '[]',
    });
  });

  it('without front proxies and authorities their keys are absent', () => {
    assert.deepEqual(Object.keys(merged({}, { clients: [one], proxies: undefined }, now)), [
      'client-ca-file',
    ]);
    assert.deepEqual(merged({}, { clients: [], proxies: undefined }, now), {});
  });

  it('the order in which replicas publish does not matter', () => {
    const first: ClusterAuthenticationInfo = { clients: [one], proxies };
    const second: ClusterAuthenticationInfo = { clients: [two], proxies: undefined };
    const both = merged(merged({}, first, now), second, now);
    assert.equal(count(both['client-ca-file']), 2);
    assert.deepEqual(merged(both, first, now), both);
    assert.deepEqual(merged(both, second, now), both);
    assert.deepEqual(merged(merged({}, second, now), first, now), both);
  });

  it('valid certificates of other replicas and unrelated keys are kept', () => {
    const data = {
      'client-ca-file': `${late}${one}-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\ntext`,
      'requestheader-group-headers': 'no list',
      'requestheader-username-headers': '["X-Other", 7]',
      other: 'stays',
    };
    const next = merged(data, { clients: [two], proxies }, now);
    assert.equal(count(next['client-ca-file']), 2);
    assert.ok(!next['client-ca-file']?.includes('none'));
    assert.equal(next['requestheader-group-headers'], '["X-Remote-Group"]');
    assert.equal(next['requestheader-username-headers'], '["X-Other","X-Remote-User"]');
    assert.equal(next['other'], 'stays');
  });

  it('the number of certificates of other replicas is bounded', () => {
    const many = Array.from({ length: 120 }, (_, at) => authority(`ca-${at}`));
    const data = { 'client-ca-file': [...many, ...many].join('') };
    const next = merged(data, { clients: [two], proxies: undefined }, now);
    assert.equal(count(next['client-ca-file']), 101);
    assert.ok(next['client-ca-file']?.includes(two.trim()));
  });

  it('the config map is created, corrected after a minute, and not written when unchanged', async () => {
    await using api = await ApiFixture.open();
    const path = `/api/v1/namespaces/${api.names.namespaces.system}/configmaps/extension-apiserver-authentication`;
    const stop = new AbortController();
    let facts: ClusterAuthenticationInfo = { clients: [one], proxies: undefined };
    const map = api.registry.extensionAuthenticationPublisher(() => facts);
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
    stop.abort();
    await running;
  });
});
