import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { testCertificate } from '@orch/pki/x509/testing';
import { ClientTrust } from './client-trust.ts';

const authorityOf = (commonName: string): string => testCertificate({ commonName, use: 'authority' }).cert;

const noFlags = {
  clientCaFile: '',
  requestHeaderClientCaFile: '',
  requestHeaderUsernameHeaders: [],
  requestHeaderUidHeaders: [],
  requestHeaderGroupHeaders: [],
  requestHeaderExtraHeadersPrefix: [],
  requestHeaderAllowedNames: [],
};

describe('the generated authority of this server as a proxy', () => {
  it('the generated authority of this server as a proxy is published for extension API servers, and trusted neither for clients nor for proxies', () => {
    const trust = new ClientTrust(noFlags);
    assert.equal(trust.facts.proxies, undefined);
    const [clients, proxy] = [authorityOf('clients'), authorityOf('proxy')];
    trust.addOwn(clients);
    trust.publishOwnProxy({ authority: proxy, commonName: 'front-proxy-client' });
    assert.deepEqual(trust.facts, {
      clients: [clients],
      proxies: {
        authorities: [proxy],
        usernameHeaders: ['X-Remote-User'],
        uidHeaders: ['X-Remote-Uid'],
        groupHeaders: ['X-Remote-Group'],
        extraHeaderPrefixes: ['X-Remote-Extra-'],
        allowedNames: ['front-proxy-client'],
        isGenerated: true,
      },
    });
    assert.deepEqual(trust.authorities, [clients]);
  });

  it('the generated authority of this server as a proxy is not published beside the authority of the flags, whose proxies may not remove its fields', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'orch-trust-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'proxies.crt');
    const given = authorityOf('given');
    writeFileSync(file, given);
    const trust = new ClientTrust({
      ...noFlags,
      requestHeaderClientCaFile: file,
      requestHeaderUsernameHeaders: ['X-User'],
    });
    trust.publishOwnProxy({ authority: authorityOf('proxy'), commonName: 'front-proxy-client' });
    const { proxies } = trust.facts;
    assert.deepEqual(
      [proxies?.authorities.map((pem) => pem.trim()), proxies?.usernameHeaders],
      [[given.trim()], ['X-User']],
    );
  });
});
