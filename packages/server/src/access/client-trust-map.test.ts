import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRandom } from '@orch/machinery';
import { settle } from '@orch/machinery/testing';
import { issueCertificate } from '@orch/pki/x509';
import { ApiFixture } from '../testing/index.ts';
import { type ClientTrustFacts, merged } from './client-trust-map.ts';

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

describe('what extension servers are told of who is trusted', () => {
  it('is what the flags of this server say', () => {
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

  it('says nothing of proxies when none is trusted, and nothing of authorities when there are none', () => {
    assert.deepEqual(Object.keys(merged({}, { clients: [one], proxies: undefined }, now)), [
      'client-ca-file',
    ]);
    assert.deepEqual(merged({}, { clients: [], proxies: undefined }, now), {});
  });

  it('is the same whichever replica says it last', () => {
    const first: ClientTrustFacts = { clients: [one], proxies };
    const second: ClientTrustFacts = { clients: [two], proxies: undefined };
    const both = merged(merged({}, first, now), second, now);
    assert.equal(count(both['client-ca-file']), 2);
    assert.deepEqual(merged(both, first, now), both);
    assert.deepEqual(merged(both, second, now), both);
    assert.deepEqual(merged(merged({}, second, now), first, now), both);
  });

  it('keeps of others what is still good, and what it knows nothing of', () => {
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

  it('does not grow without bound by what others write', () => {
    const many = Array.from({ length: 120 }, (_, at) => authority(`ca-${at}`));
    const data = { 'client-ca-file': [...many, ...many].join('') };
    const next = merged(data, { clients: [two], proxies: undefined }, now);
    assert.equal(count(next['client-ca-file']), 101);
    assert.ok(next['client-ca-file']?.includes(two.trim()));
  });

  it('is a config map that is made, put right after a minute, and not written when it is right', async () => {
    await using api = await ApiFixture.open();
    const path = `/api/v1/namespaces/${api.names.namespaces.system}/configmaps/extension-apiserver-authentication`;
    const stop = new AbortController();
    let facts: ClientTrustFacts = { clients: [one], proxies: undefined };
    const map = api.registry.clientTrustMap(() => facts);
    await map.publish(stop.signal);
    const running = map.run(stop.signal);
    const shown = async () => {
      for (let turn = 0; turn < 50; turn++) await settle();
      await api.settled();
      return (await api.get(path)).json;
    };
    const made = await shown();
    assert.deepEqual(made.data, { 'client-ca-file': `${one.trim()}\n` });

    await api.env.clock.advanceAsync(60_000);
    assert.equal((await shown()).metadata.resourceVersion, made.metadata.resourceVersion);

    facts = { clients: [one], proxies };
    await api.env.clock.advanceAsync(60_000);
    assert.equal((await shown()).data['requestheader-username-headers'], '["X-Remote-User"]');

    await api.delete(path);
    await api.env.clock.advanceAsync(60_000);
    assert.equal(count((await shown()).data['requestheader-client-ca-file']), 1);
    stop.abort();
    await running;
  });
});
