import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { copyFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseYaml } from '@orch/machinery/yaml';
import { StartError, UsageError } from '@orch/program';
import { assertConsistent, changedBy, InitFixture } from './testing/init-fixture.ts';

const DAY_MS = 24 * 3_600_000;

const refused =
  (pattern: RegExp, kind: typeof StartError | typeof UsageError = StartError) =>
  (error: unknown) =>
    error instanceof kind && pattern.test(error.message);

const hostsOf = (pem: string): string => new X509Certificate(pem).subjectAltName ?? '';

describe('orch init', () => {
  it('the first run creates consistent files, and keys are readable by their owner only', async () => {
    using init = new InitFixture();
    const { files, rotations, warnings } = await init.run();
    assert.ok(files.every(({ action }) => action === 'created'));
    assert.deepEqual([...init.read().keys()], files.map(({ file }) => file).sort());
    assert.deepEqual([rotations, warnings], [[], []]);
    assertConsistent(init.read());
    assert.equal(statSync(init.dir).mode & 0o777, 0o700);
    for (const file of init.read().keys()) {
      const isSecret = /\.(key|conf|yaml)$/.test(file);
      assert.equal(statSync(init.path(file)).mode & 0o777, isSecret ? 0o600 : 0o644, file);
    }
  });

  it('files that were made while the clock was ahead are made again when it is right, with the reason', async () => {
    using init = new InitFixture();
    const { clock } = init.env;
    const ahead = 700 * DAY_MS;
    clock.setWallTime(clock.now() + ahead);
    await init.run('--service-names=orch');
    const before = init.read();
    clock.setWallTime(clock.now() - ahead);
    const { files } = await init.run();
    const renewed = files.filter(({ action }) => action === 'renewed');
    for (const file of [
      'serving-ca',
      'client-ca',
      'front-proxy-ca',
      'apiserver',
      'admin',
      'controller-manager',
    ])
      assert.ok(
        renewed.some((one) => one.file === `${file}.crt`),
        file,
      );
    assert.match(renewed.find(({ file }) => file === 'serving-ca.crt')?.reason ?? '', /^not valid before 20/);
    for (const { file } of renewed) assert.notEqual(init.text(file), before.get(file), file);
    assertConsistent(init.read());
    assert.deepEqual(changedBy(await init.run()), []);
  });

  it('the report contains no content of a secret file', async () => {
    using init = new InitFixture();
    const reports = [await init.run(), await init.run('--rotate=clients'), await init.run()];
    const printed = JSON.stringify(reports);
    for (const [file, text] of init.read())
      if (/\.(key|conf|yaml)$/.test(file))
        for (const line of text.split('\n').filter((one) => one.length > 30 && !one.includes('-----')))
          assert.ok(!printed.includes(line.trim()), file);
  });

  it('a second run changes nothing and reports every file as kept', async () => {
    using init = new InitFixture();
    await init.run('--san=api.example.com,2001:DB8:0::1', '--service-names=orch-api.prod');
    const before = init.read();
    assert.deepEqual(changedBy(await init.run()), []);
    assert.deepEqual(changedBy(await init.run('--san=2001:db8::1,API.example.com')), ['updated init.json']);
    assert.deepEqual(init.read().get('apiserver.crt'), before.get('apiserver.crt'));
  });

  it('the serving certificate has the given names, those of services, the local ones and the first service address', async () => {
    using init = new InitFixture();
    await init.run(
      '--server=https://[fd00::1]:6443',
      '--san=api.example.com,192.0.2.1',
      '--service-names=lb.prod',
      '--service-cluster-ip-range=10.96.0.0/16',
    );
    const hosts = hostsOf(init.text('apiserver.crt'));
    for (const host of ['api.example.com', 'lb.prod', 'lb.prod.svc', 'orch.default.svc', 'localhost'])
      assert.match(hosts, new RegExp(`DNS:${host}(,|$)`));
    for (const address of ['192.0.2.1', '127.0.0.1', '10.96.0.1', 'FD00:0:0:0:0:0:0:1'])
      assert.match(hosts, new RegExp(`IP Address:${address}(,|$)`));
    assert.match(init.text('admin.conf'), /server: "?https:\/\/\[fd00::1\]:6443/);
  });

  it('every generated EC key is written as SEC1, which older clients need', async () => {
    using init = new InitFixture();
    await init.run();
    const files = [...init.read()].filter(([name]) => name.endsWith('.key'));
    assert.ok(files.length >= 4);
    for (const [name, text] of files) assert.match(text, /^-----BEGIN EC PRIVATE KEY-----\n/, name);
    const [, key = ''] = /client-key-data: "?([\w+/=]+)/.exec(init.text('admin.conf')) ?? [];
    assert.match(Buffer.from(key, 'base64').toString(), /^-----BEGIN EC PRIVATE KEY-----\n/);
  });

  it('other names lead to a new serving certificate with the same key, and later runs use them too', async () => {
    using init = new InitFixture();
    await init.run('--san=a.example.com');
    const before = init.read();
    assert.deepEqual(changedBy(await init.run('--san=b.example.com')), [
      'renewed apiserver.crt',
      'updated init.json',
    ]);
    assert.equal(init.text('apiserver.key'), before.get('apiserver.key'));
    assert.match(hostsOf(init.text('apiserver.crt')), /DNS:b\.example\.com/);
    assert.doesNotMatch(hostsOf(init.text('apiserver.crt')), /DNS:a\.example\.com/);
    assert.deepEqual(changedBy(await init.run()), []);
  });

  for (const [days, argv, renewed] of [
    [300, [], []],
    [336, [], ['admin', 'apiserver', 'controller-manager', 'front-proxy-client']],
    [400, [], ['admin', 'apiserver', 'controller-manager', 'front-proxy-client']],
    [336, ['--renew-before=1h'], []],
    [300, ['--renew-before=2000h'], ['admin', 'apiserver', 'controller-manager', 'front-proxy-client']],
  ] as const)
    it(`after ${days} days with "${argv.join(' ')}" the certificates ${renewed.join(', ') || '(none)'} are renewed, and no key changes`, async () => {
      using init = new InitFixture();
      await init.run();
      const before = init.read();
      init.env.clock.advance(days * DAY_MS);
      const report = await init.run(...argv);
      const certificates = report.files.filter(({ action }) => action === 'renewed').map(({ file }) => file);
      assert.deepEqual(
        certificates.sort(),
        renewed.map((name) => `${name}.crt`),
      );
      for (const [file, text] of init.read())
        if (file.endsWith('.key') || file === 'encryption.yaml') assert.equal(text, before.get(file), file);
      assertConsistent(init.read());
      const until = init.env.clock.now() + 30 * DAY_MS;
      for (const name of renewed)
        assert.ok(Date.parse(new X509Certificate(init.text(`${name}.crt`)).validTo) > until);
    });

  it('an authority that expires within a year leads to a warning with the command that replaces it', async () => {
    using init = new InitFixture();
    await init.run();
    init.env.clock.advance(3_600 * DAY_MS);
    const { warnings } = await init.run();
    assert.equal(warnings.length, 3);
    assert.match(warnings[0] ?? '', /serving-ca\.crt expires in 50 days: .*--rotate=serving$/);
    const [authority, leaf] = ['serving-ca.crt', 'apiserver.crt'].map(
      (file) => new X509Certificate(init.text(file)).validTo,
    );
    assert.equal(leaf, authority, 'no certificate is valid for longer than its authority');
  });

  for (const [file, expected] of [
    ['serving-ca.crt', /serving-ca\.crt is missing, and its key is not/],
    ['serving-ca.key', []],
    ['apiserver.crt', ['created apiserver.crt']],
    ['apiserver.key', ['created apiserver.key', 'renewed apiserver.crt']],
    ['admin.crt', ['created admin.crt', 'updated admin.conf']],
    ['admin.key', ['created admin.key', 'renewed admin.crt', 'updated admin.conf']],
    ['admin.conf', ['created admin.conf']],
    ['controller-manager.conf', ['created controller-manager.conf']],
    ['service-account.key', /service-account\.key is missing, and service-account\.pub is not/],
    ['service-account.pub', ['created service-account.pub']],
    ['encryption.yaml', ['created encryption.yaml']],
    ['init.json', ['created init.json']],
  ] as [string, readonly string[] | RegExp][])
    it(`when ${file} is missing, a run leads to ${expected}`, async () => {
      using init = new InitFixture();
      await init.run();
      const before = init.read();
      rmSync(init.path(file));
      if (expected instanceof RegExp) {
        await assert.rejects(init.run(), refused(expected));
        assert.deepEqual(init.read(), new Map([...before].filter(([name]) => name !== file)));
        return;
      }
      assert.deepEqual(changedBy(await init.run()).toSorted(), expected);
      if (file !== 'serving-ca.key') assertConsistent(init.read());
    });

  it('without the key of an authority everything is kept until a certificate must be issued', async () => {
    using init = new InitFixture();
    await init.run();
    rmSync(init.path('serving-ca.key'));
    assert.deepEqual(changedBy(await init.run()), []);
    await assert.rejects(
      init.run('--san=new.example.com'),
      refused(/apiserver\.crt: other names or addresses, and serving-ca\.key is not in the folder/),
    );
  });

  for (const [file, text, message] of [
    ['apiserver.key', 'rubbish', /apiserver\.key contains no private key that can be read: restore/],
    ['client-ca.key', 'rubbish', /client-ca\.key contains no private key/],
    ['client-ca.crt', 'rubbish', /client-ca\.crt contains no certificate/],
    ['service-account.key', 'rubbish', /service-account\.key contains no private key/],
    ['init.json', '{"version":2}', /init\.json cannot be read: its version is 2/],
    ['init.json', 'x', /init\.json cannot be read/],
  ] as const)
    it(`a ${file} that contains ${text} is never replaced: the run is refused and changes nothing`, async () => {
      using init = new InitFixture();
      await init.run();
      writeFileSync(init.path(file), text);
      const before = init.read();
      await assert.rejects(init.run('--san=other.example.com'), refused(message));
      assert.deepEqual(init.read(), before);
    });

  it('the key of another authority, and a certificate of another authority, are refused', async () => {
    using one = new InitFixture();
    using other = new InitFixture();
    await one.run();
    await other.run();
    copyFileSync(other.path('apiserver.crt'), one.path('apiserver.crt'));
    await assert.rejects(one.run(), refused(/apiserver\.crt was not issued by serving-ca\.crt/));
    copyFileSync(other.path('serving-ca.key'), one.path('serving-ca.key'));
    await assert.rejects(one.run(), refused(/serving-ca\.key is not the key of the first certificate/));
  });

  it('a dry run reports the changes and makes none, also without a folder', async () => {
    using init = new InitFixture();
    assert.ok((await init.run('--dry-run')).files.every(({ action }) => action === 'created'));
    assert.throws(() => statSync(init.dir), /ENOENT/);
    await init.run();
    const before = init.read();
    assert.ok(
      changedBy(await init.run('--dry-run', '--san=x.example.com')).includes('renewed apiserver.crt'),
    );
    assert.deepEqual(init.read(), before);
  });

  it('encryption uses a new key of the chosen provider, or no file is made', async () => {
    using init = new InitFixture();
    await init.run('--encryption=secretbox', '--naming=kubernetes');
    const { apiVersion, resources } = parseYaml(Buffer.from(init.text('encryption.yaml'))) as {
      apiVersion: string;
      resources: readonly { providers: readonly { secretbox: { keys: readonly { secret: string }[] } }[] }[];
    };
    assert.match(apiVersion, /^apiserver\.config\.k8s\.io\/v1$/);
    const secret = resources[0]?.providers[0]?.secretbox.keys[0]?.secret ?? '';
    assert.equal(Buffer.from(secret, 'base64').length, 32);
    using without = new InitFixture();
    await without.run('--encryption=none');
    assert.ok(!without.read().has('encryption.yaml'));
  });

  it('names and addresses of etcd lead to certificates for its members and clients', async () => {
    using init = new InitFixture();
    await init.run('--etcd-san=etcd-0.example.com');
    const issuer = new X509Certificate(init.text('etcd-ca.crt'));
    for (const file of ['etcd.crt', 'etcd-client.crt'])
      assert.ok(new X509Certificate(init.text(file)).checkIssued(issuer), file);
    const usages = new X509Certificate(init.text('etcd.crt')).keyUsage ?? [];
    assert.deepEqual([...usages].sort(), ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    assert.deepEqual(changedBy(await init.run()), []);
  });

  it('a folder that was made with one naming is not used with the other', async () => {
    using init = new InitFixture();
    await init.run('--naming=kubernetes');
    assert.match(
      new X509Certificate(init.text('controller-manager.crt')).subject,
      /CN=system:kube-controller-manager/,
    );
    await init.run();
    await assert.rejects(init.run('--naming=orch'), refused(/were made with --naming=kubernetes/));
  });

  for (const [argv, message] of [
    [['--server=http://a'], /--server: must be a URL such as/],
    [['--san=https://a'], /--san: must be a DNS name or an IP address, without a port/],
    [['--san=a:443'], /--san/],
    [['--etcd-san=a b'], /--etcd-san/],
    [['--service-cluster-ip-range=1'], /--service-cluster-ip-range/],
    [['--renew-before=8760h'], /--renew-before: must be less than 365d/],
    [['--renew-before=400d'], /--renew-before: must be less than 365d, for which certificates are valid/],
    [['--rotate=clients', '--rotate-switch=clients'], /only one step of the rotation of clients/],
    [
      ['--rotate=everything'],
      /--rotate: must be one of serving, clients, front-proxy, etcd, service-account/,
    ],
    [['--dir='], /--dir must not be empty/],
  ] as const)
    it(`${argv.join(' ')} is refused with the reason`, async () => {
      using init = new InitFixture();
      await assert.rejects(init.run(...argv), refused(message, UsageError));
    });

  it('a path that is not a folder is refused with its name', async () => {
    using init = new InitFixture();
    writeFileSync(init.dir, '');
    await assert.rejects(init.run(), refused(/--dir .*pki: /));
  });
});
