import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@orch/machinery/testing';
import { configMaps, testClient } from '../testing/test-client.ts';
import { serving } from '../transport/testing/certificates.ts';
import { followProxyTrust, type ProxyTrust, proxyTrust } from './proxy-trust.ts';

const data = {
  'requestheader-client-ca-file': serving.cert,
  'requestheader-username-headers': '["X-Remote-User","X-User"]',
  'requestheader-group-headers': '["X-Remote-Group"]',
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  'requestheader-uid-headers': '["X-Remote-Uid"]',
  'requestheader-allowed-names': '["front-proxy-client"]',
};
const configMap = (more: object = {}) => ({
  ...{ kind: 'ConfigMap', apiVersion: 'v1', metadata: {} },
  data: { ...data, ...more },
});

describe('the trust in a proxy', () => {
  it('the trust in a proxy is read from the config map', () => {
    assert.deepEqual(proxyTrust(configMap()), {
      authorities: serving.cert,
      usernameHeaders: ['X-Remote-User', 'X-User'],
      groupHeaders: ['X-Remote-Group'],
      extraHeaderPrefixes: ['X-Remote-Extra-'],
      uidHeaders: ['X-Remote-Uid'],
      allowedNames: ['front-proxy-client'],
    });
  });

  it('the trust in a proxy does not include a field for uids that the API server does not publish', () => {
    assert.deepEqual(proxyTrust(configMap({ 'requestheader-uid-headers': undefined }))?.uidHeaders, []);
  });

  for (const key of ['requestheader-client-ca-file', 'requestheader-username-headers'] as const)
    it(`the trust in a proxy does not exist without ${key}`, () => {
      assert.equal(proxyTrust(configMap({ [key]: undefined })), undefined);
    });

  for (const [key, value] of [
    ['requestheader-allowed-names', '['],
    ['requestheader-allowed-names', '"front-proxy-client"'],
    ['requestheader-allowed-names', '[1]'],
    ['requestheader-client-ca-file', 'no certificate'],
  ] as const)
    it(`the trust in a proxy is not extended by ${value} as ${key}`, () => {
      assert.throws(() => proxyTrust(configMap({ [key]: value })));
    });
});

describe('the followed trust in a proxy', () => {
  it('changes with the config map, is kept while that cannot be read, and ends with it', async () => {
    const { client, env, stop } = testClient();
    const maps = client.resource(configMaps, client.names.namespaces.system);
    const name = client.names.objects.extensionAuthentication;
    const map = (more: object = {}) => ({ ...configMap(more), metadata: { name } });
    const seen: (ProxyTrust | undefined)[] = [];
    const followed = followProxyTrust({ client, env, onChange: (trust) => seen.push(trust) });
    const run = followed.run(stop.signal);
    await followed.synced(stop.signal);
    const names = async (count: number) => {
      await eventually(
        async () => seen.length,
        (length) => length === count,
      );
      return seen.at(-1)?.allowedNames;
    };
    await maps.create(map());
    assert.deepEqual(await names(1), ['front-proxy-client']);
    await maps.patch.merge(name, { data: { 'requestheader-allowed-names': '[' } });
    await maps.patch.merge(name, { data: { 'requestheader-allowed-names': '["a"]' } });
    assert.deepEqual(await names(2), ['a']);
    await maps.delete(name);
    assert.equal(await names(3), undefined);
    stop.abort();
    await run;
  });
});
