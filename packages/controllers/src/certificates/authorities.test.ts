import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, testEnv } from '@orch/machinery/testing';
import { issueCertificate } from '@orch/pki/x509';
import { authorityIn } from './authorities.ts';

const random = seededRandom(1);
const authority = (commonName: string) =>
  issueCertificate(
    { commonName, use: 'authority', notBefore: Date.UTC(2026, 0, 1), notAfter: Date.UTC(2030, 0, 1) },
    random,
  );

describe('a signing authority in files', () => {
  const open = () => {
    const { log, entries } = testEnv();
    const texts = { ...authority('one') };
    const content = (name: 'cert' | 'key') => ({ origin: `ca.${name}`, read: async () => texts[name] });
    const read = authorityIn({ cert: content('cert'), key: content('key') }, log);
    return { texts, read, entries };
  };

  it('a signing authority is parsed once, and again when its files have changed', async () => {
    const { texts, read } = open();
    const first = await read();
    assert.equal(await read(), first);
    Object.assign(texts, authority('two'));
    assert.ok((await read()).subject.toString('latin1').includes('two'));
  });

  it('a signing authority stays in use while its files do not match, and the log does not contain the key', async () => {
    const { texts, read, entries } = open();
    const first = await read();
    const next = authority('two');
    texts.cert = next.cert;
    assert.equal(await read(), first);
    assert.equal(entries.at(-1)?.['error'], 'the private key is not that of the certificate');
    texts.key = 'rubbish';
    assert.equal(await read(), first);
    texts.key = next.key;
    assert.notEqual(await read(), first);
    assert.ok(!JSON.stringify(entries).includes('PRIVATE KEY'));
  });

  it('an authority that was never readable is an error that names its files', async () => {
    const { texts, read } = open();
    texts.key = '';
    await assert.rejects(read(), /^Error: ca.cert, ca.key: the private key cannot be read$/);
  });
});
