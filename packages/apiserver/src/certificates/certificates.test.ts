import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { FakeClock } from '@orch/machinery/testing';
import { parseYaml } from '@orch/machinery/yaml';
import { issueCertificate } from '@orch/pki/x509';
import { StartError } from '@orch/program';
import { serverUrl, writeAdminConfig } from './admin-config.ts';
import {
  type CertificateOptions,
  type Certificates,
  prepareCertificates,
  renewCertificates,
} from './serving.ts';

const names = namesFor('orch');
const DAY = 24 * 60 * 60 * 1000;
const signal = new AbortController().signal;
let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'orch-certs-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const optionsOf = (options: Partial<CertificateOptions>): CertificateOptions => ({
  certDir: join(dir, 'certs'),
  tlsCertFile: '',
  tlsPrivateKeyFile: '',
  bindAddress: '0.0.0.0',
  names,
  ...options,
});

const prepare = (
  options: Partial<CertificateOptions> = {},
  clock: FakeClock | typeof systemClock = systemClock,
): Promise<Certificates> =>
  prepareCertificates(optionsOf(options), { clock, random: systemRandom, log: silentLogger }, signal);

describe("the server's generated certificates", () => {
  it('generated certificates of the server let clients verify the server under its names', async () => {
    const { serving, servingCa } = await prepare({ bindAddress: '10.1.2.3' });
    const certificate = new X509Certificate(serving.cert);
    assert.ok(certificate.verify(new X509Certificate(servingCa).publicKey));
    assert.ok(certificate.checkPrivateKey(createPrivateKey(serving.key)));
    for (const host of ['localhost', hostname(), 'orch', 'orch.default.svc'])
      assert.ok(certificate.checkHost(host), host);
    for (const address of ['127.0.0.1', '::1', '10.1.2.3']) assert.ok(certificate.checkIP(address), address);
    assert.equal(certificate.checkHost('example.com'), undefined);
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
    assert.equal(certificate.ca, false);
  });

  it('generated certificates of the server that a clock ahead has made are made again when the clock is right, with a line in the log', async () => {
    const clock = new FakeClock(Date.now());
    const lines: string[] = [];
    const log: typeof silentLogger = {
      ...silentLogger,
      info: (_, fields) => void lines.push(JSON.stringify(fields)),
    };
    const prepared = (): Promise<Certificates> =>
      prepareCertificates(
        optionsOf({ needsProxyClient: true }),
        { clock, random: systemRandom, log },
        signal,
      );
    clock.setWallTime(clock.now() + 600 * DAY);
    const ahead = await prepared();
    assert.equal(lines.length, 0);
    clock.setWallTime(clock.now() - 600 * DAY);
    const now = await prepared();
    for (const [before, after] of [
      [ahead.servingCa, now.servingCa],
      [ahead.clientAuthority.cert, now.clientAuthority.cert],
      [ahead.serving.cert, now.serving.cert],
      [ahead.proxyClient?.authority, now.proxyClient?.authority],
    ] as const) {
      assert.notEqual(after, before);
      assert.ok(Date.parse(new X509Certificate(after ?? '').validFrom) <= clock.now());
    }
    for (const file of ['serving-ca.crt', 'client-ca.crt', 'front-proxy-ca.crt', 'apiserver.crt'])
      assert.ok(
        lines.some((line) => line.includes(`/${file}"`) && line.includes('it is not valid before ')),
        file,
      );
    const { length } = lines;
    await prepared();
    assert.equal(lines.length, length, 'they are kept from then on');
  });

  it('client certificates of the server authenticate the administrator', async () => {
    const { admin, clientAuthority } = await prepare();
    const certificate = new X509Certificate(admin.cert);
    assert.ok(certificate.verify(new X509Certificate(clientAuthority.cert).publicKey));
    assert.equal(certificate.subject, 'O=system:masters\nCN=system:admin');
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  });

  it('the one for extension API servers has a separate authority, which is kept', async () => {
    assert.equal((await prepare()).proxyClient, undefined);
    const { proxyClient, clientAuthority } = await prepare({ needsProxyClient: true });
    assert.ok(proxyClient !== undefined);
    const certificate = new X509Certificate(proxyClient.pair.cert);
    assert.ok(certificate.verify(new X509Certificate(proxyClient.authority).publicKey));
    assert.ok(!certificate.verify(new X509Certificate(clientAuthority.cert).publicKey));
    assert.equal(certificate.subject, 'CN=front-proxy-client');
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
    const again = await prepare({ needsProxyClient: true });
    assert.equal(again.proxyClient?.authority, proxyClient.authority);
  });

  it('generated certificates of the server are kept, and readable by their owner only', async () => {
    const first = await prepare();
    const second = await prepare();
    assert.equal(second.serving.cert, first.serving.cert);
    assert.deepEqual(second.clientAuthority, first.clientAuthority);
    assert.notEqual(second.admin.key, first.admin.key);
    const files = readdirSync(join(dir, 'certs')).sort();
    assert.deepEqual(files, [
      '.lock',
      'apiserver.crt',
      'apiserver.key',
      'client-ca.crt',
      'client-ca.key',
      'serving-ca.crt',
      'serving-ca.key',
    ]);
    for (const file of files) assert.equal(statSync(join(dir, 'certs', file)).mode & 0o777, 0o600);
  });

  it('generated certificates of the server are replaced when they expire soon, do not match, or cannot be read', async () => {
    const clock = new FakeClock(Date.now());
    const first = await prepare({}, clock);
    clock.advance(300 * DAY);
    assert.equal((await prepare({}, clock)).serving.cert, first.serving.cert);
    clock.advance(40 * DAY);
    const renewed = await prepare({}, clock);
    assert.notEqual(renewed.serving.cert, first.serving.cert);
    assert.equal(renewed.servingCa, first.servingCa);

    const moved = await prepare({ bindAddress: '10.9.8.7' }, clock);
    assert.ok(new X509Certificate(moved.serving.cert).checkIP('10.9.8.7'));

    writeFileSync(join(dir, 'certs', 'serving-ca.crt'), 'rubbish');
    const repaired = await prepare({ bindAddress: '10.9.8.7' }, clock);
    assert.notEqual(repaired.servingCa, moved.servingCa);
    assert.ok(
      new X509Certificate(repaired.serving.cert).verify(new X509Certificate(repaired.servingCa).publicKey),
    );
  });

  it('generated certificates of the server that expire soon are renewed by the same authorities while the server runs, by one of the processes that share a folder', async () => {
    const clock = new FakeClock(Date.now());
    const options = { needsProxyClient: true };
    const first = await prepare(options, clock);
    const env = { clock, random: systemRandom, log: silentLogger };
    const renew = (): Promise<Certificates> => renewCertificates(first, optionsOf(options), { env, signal });
    clock.advance(340 * DAY);
    const renewed = await renew();
    const again = await renew();
    assert.equal(again.serving.cert, renewed.serving.cert);
    assert.equal(renewed.servingCa, first.servingCa);
    assert.deepEqual(renewed.clientAuthority, first.clientAuthority);
    assert.equal(renewed.proxyClient?.authority, first.proxyClient?.authority);
    for (const [name, before, after] of [
      ['serving', first.serving, renewed.serving],
      ['admin', first.admin, renewed.admin],
      ['proxy', first.proxyClient?.pair, renewed.proxyClient?.pair],
    ] as const) {
      const left = (pair = first.serving) => Date.parse(new X509Certificate(pair.cert).validTo) - clock.now();
      assert.ok(left(before) < 30 * DAY && left(after) > 360 * DAY, name);
    }
  });

  it('generated certificates of the server are not renewed by authorities that have replaced those of the server, nor without authorities', async () => {
    const current = await prepare();
    const env = { clock: systemClock, random: systemRandom, log: silentLogger };
    const renew = () => renewCertificates(current, optionsOf({}), { env, signal });
    const other = issueCertificate(
      { commonName: 'x', use: 'authority', notBefore: Date.now() - DAY, notAfter: Date.now() + DAY },
      systemRandom,
    );
    writeFileSync(join(dir, 'certs', 'serving-ca.crt'), other.cert);
    await assert.rejects(renew, /the authority serving-ca was replaced: restart the server/);
    rmSync(join(dir, 'certs', 'serving-ca.crt'));
    await assert.rejects(renew, /there is no authority serving-ca in /);
    assert.equal(readdirSync(join(dir, 'certs')).includes('serving-ca.crt'), false);
  });

  it('generated certificates of the server are the same for processes that start at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => prepare()));
    assert.equal(new Set(all.map(({ serving }) => serving.cert)).size, 1);
    assert.equal(new Set(all.map(({ clientAuthority }) => clientAuthority.cert)).size, 1);
  });

  it('generated certificates of the server are not used when the operator provides certificates', async () => {
    const own = issueCertificate(
      {
        commonName: 'mine',
        use: 'server',
        hosts: ['mine'],
        notBefore: Date.now() - DAY,
        notAfter: Date.now() + DAY,
      },
      systemRandom,
    );
    const other = issueCertificate(
      { commonName: 'other', use: 'server', notBefore: Date.now() - DAY, notAfter: Date.now() + DAY },
      systemRandom,
    );
    const file = (name: string, content: string): string => {
      writeFileSync(join(dir, name), content);
      return join(dir, name);
    };
    const tlsCertFile = file('own.crt', own.cert);
    const tlsPrivateKeyFile = file('own.key', own.key);
    const { serving } = await prepare({ tlsCertFile, tlsPrivateKeyFile });
    assert.equal(serving.cert, own.cert);
    for (const [options, message] of [
      [{ tlsCertFile }, /must be given together/],
      [{ tlsCertFile, tlsPrivateKeyFile: file('other.key', other.key) }, /is not the key of/],
      [{ tlsCertFile, tlsPrivateKeyFile: join(dir, 'none') }, /--tls-private-key-file: ENOENT/],
      [{ tlsCertFile: file('bad.crt', 'x'), tlsPrivateKeyFile }, /--tls-cert-file/],
    ] as const) {
      await assert.rejects(
        prepare(options),
        (error) => error instanceof StartError && message.test(error.message),
      );
    }
  });

  it('generated certificates of the server fail with the name of a folder that cannot be used', async () => {
    writeFileSync(join(dir, 'file'), '');
    await assert.rejects(prepare({ certDir: join(dir, 'file') }), /^StartError: --cert-dir .*file: /);
    chmodSync(dir, 0o700);
  });
});

describe("the administrator's client configuration", () => {
  it('the client configuration of the administrator has all settings of a client, and is readable by its owner only', async () => {
    const certificates = await prepare();
    const path = join(dir, 'sub', 'admin.conf');
    writeAdminConfig(path, 'https://127.0.0.1:6443', certificates, { names, random: systemRandom });
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const config = parseYaml(readFileSync(path)) as {
      clusters: { cluster: Record<string, string> }[];
      users: { user: Record<string, string> }[];
      contexts: { name: string }[];
      'current-context': string;
    };
    assert.equal(config.clusters[0]?.cluster['server'], 'https://127.0.0.1:6443');
    const decoded = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString();
    assert.equal(decoded(config.clusters[0]?.cluster['certificate-authority-data']), certificates.servingCa);
    assert.equal(decoded(config.users[0]?.user['client-key-data']), certificates.admin.key);
    assert.equal(config['current-context'], config.contexts[0]?.name);
  });

  it('a client configuration has its key as SEC1, also when the file of an earlier version is PKCS#8', async () => {
    const certificates = await prepare();
    const path = join(dir, 'older', 'admin.conf');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const older = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const admin of [certificates.admin, { ...certificates.admin, key: older }]) {
      const context = { names, random: systemRandom };
      writeAdminConfig(path, 'https://127.0.0.1:6443', { ...certificates, admin }, context);
      const [, key = ''] = /client-key-data: "?([\w+/=]+)/.exec(readFileSync(path, 'utf8')) ?? [];
      assert.match(Buffer.from(key, 'base64').toString(), /^-----BEGIN EC PRIVATE KEY-----\n/);
    }
  });

  it('the client configuration of the administrator has addresses as URLs', () => {
    assert.equal(serverUrl('127.0.0.1', 1), 'https://127.0.0.1:1');
    assert.equal(serverUrl('::1', 1), 'https://[::1]:1');
  });
});
