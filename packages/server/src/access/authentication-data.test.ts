import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRandom } from '@orch/machinery/env';
import { issueCertificate } from '@orch/pki/x509';
import {
  type ClusterAuthenticationInfo,
  type FrontProxies,
  isProxyRefused,
  merged,
} from './authentication-data.ts';
import type { ConfigData } from './system-config-map.ts';

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
  uidHeaders: [],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
  allowedNames: [],
  isGenerated: false,
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

  it('the fields of uids are those of all servers with the flag, and none after the front proxies are replaced', () => {
    const key = 'requestheader-uid-headers';
    const withUids = { ...proxies, uidHeaders: ['X-Remote-Uid'] };
    const first = merged({}, { clients: [one], proxies: withUids }, now);
    assert.equal(first[key], '["X-Remote-Uid"]');
    assert.equal(merged(first, { clients: [one], proxies }, now)[key], '["X-Remote-Uid"]');
    const generated = { ...proxies, authorities: [one], isGenerated: true };
    const { 'requestheader-client-ca-file': _, ...fields } = first;
    assert.equal(merged(fields, { clients: [one], proxies: generated }, now)[key], '[]');
    const replaced = {
      clients: [one],
      proxies,
      generatedProxies: { current: [one], expired: [] },
    };
    const ofGenerated = { ...first, 'requestheader-client-ca-file': one };
    assert.equal(merged(ofGenerated, replaced, now)[key], '[]');
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

  describe('with authorities that servers have generated for client certificates', () => {
    const [given, own, other] = [authority('given'), authority('own'), authority('other')];
    const info = (
      current: readonly string[],
      expired: readonly string[] = [],
    ): ClusterAuthenticationInfo => ({
      clients: [own],
      proxies: undefined,
      generatedClients: { current, expired },
    });
    const published = (data: ConfigData): number => count(data['client-ca-file']);

    it('the authorities of servers that have stopped long ago are removed, and those of flags stay', () => {
      const before = merged({ 'client-ca-file': given }, info([own, other]), now);
      assert.equal(published(before), 3);
      const after = merged(before, info([own], [other]), now);
      assert.equal(published(after), 2);
      assert.ok(after['client-ca-file']?.includes(given.trim()));
      assert.deepEqual(merged(after, info([own]), now), after);
    });

    it('the limit for authorities of flags removes none that a server has generated', () => {
      const many = Array.from({ length: 110 }, (_, at) => authority(`generated-${at}`));
      const flags = Array.from({ length: 110 }, (_, at) => authority(`flag-${at}`));
      const data = merged({ 'client-ca-file': flags.join('') }, info([...many, own]), now);
      assert.equal(published(data), 211);
      for (const pem of [...many, own]) assert.ok(data['client-ca-file']?.includes(pem.trim()));
    });
  });

  describe('with authorities that servers have generated for themselves', () => {
    const own = authority('own');
    const other = authority('other');
    const generatedProxy = (pem: string): FrontProxies => ({
      ...proxies,
      authorities: [pem],
      allowedNames: ['front-proxy-client'],
      isGenerated: true,
    });
    const given: FrontProxies = { ...proxies, authorities: [two], usernameHeaders: ['X-User'] };
    const info = (
      front: FrontProxies | undefined,
      current: readonly string[],
      expired: readonly string[] = [],
    ): ClusterAuthenticationInfo => ({ clients: [], proxies: front, generatedProxies: { current, expired } });
    const published = (data: ConfigData): readonly string[] =>
      (data['requestheader-client-ca-file'] ?? '').match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ??
      [];
    const sorted = (...pems: readonly string[]): readonly string[] => pems.map((pem) => pem.trim()).sort();

    it('every server publishes those of all servers, in one order', () => {
      const first = merged({}, info(generatedProxy(own), [own, other]), now);
      assert.deepEqual(published(first), sorted(own, other));
      assert.deepEqual(merged(first, info(generatedProxy(other), [other, own]), now), first);
      assert.equal(first['requestheader-allowed-names'], '["front-proxy-client"]');
    });

    it('more servers than the limit for given ones are published, so that none of them is refused', () => {
      const many = Array.from({ length: 150 }, (_, at) => authority(`proxy-${at}`));
      const data = merged({}, info(generatedProxy(own), [...many, own]), now);
      assert.equal(published(data).length, 151);
    });

    it('those of servers that have stopped long ago are removed', () => {
      const before = merged({}, info(generatedProxy(own), [own, other]), now);
      const after = merged(before, info(generatedProxy(own), [own], [other]), now);
      assert.deepEqual(published(after), sorted(own));
    });

    it('the authority of a server is refused beside a front proxy that an operator gave to another server', () => {
      const data = merged({}, info(given, []), now);
      const mine = info(generatedProxy(own), [own]);
      assert.equal(isProxyRefused(data, mine, now), true);
      assert.deepEqual(merged(data, mine, now), data);
      assert.equal(isProxyRefused({}, mine, now), false);
    });

    it('a given front proxy replaces the generated ones with their header fields, regardless of the order of the servers', () => {
      const mine = info(generatedProxy(own), [own]);
      const theirs = info(given, [own]);
      const data = merged(merged({}, mine, now), theirs, now);
      assert.deepEqual(published(data), sorted(two));
      assert.equal(data['requestheader-username-headers'], '["X-User"]');
      assert.deepEqual(merged(data, mine, now), data);
      assert.deepEqual(merged(data, theirs, now), data);
    });

    it('a server with a certificate for extension API servers and no front proxy changes nothing', () => {
      const data = merged({}, info(generatedProxy(own), [own]), now);
      assert.deepEqual(merged(data, info(undefined, [own]), now), data);
    });
  });
});
