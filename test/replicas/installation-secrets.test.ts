import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseYaml } from '@orch/machinery/yaml';
import { type CommandResult, type LaunchedServer, launchServer, run, temporaryFolder } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const secretsPath = '/api/v1/namespaces/default/secrets';

type Files = Readonly<Record<string, string>>;

/** A cluster with the Secrets of another one, as that of a Helm chart. */
describe('orch init with Secrets', { timeout: 180_000 }, () => {
  let server: LaunchedServer;

  before(async () => {
    server = await launchServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const init = (...argv: readonly string[]): Promise<CommandResult> =>
    run(join(root, 'bin', 'orch'), ['init', ...argv]);
  const initIn = (name: string, ...argv: readonly string[]): Promise<CommandResult> =>
    init(
      '--as-secrets=cluster',
      `--client-config=${server.adminConfig}`,
      '--secrets-naming=orch',
      `--secrets-name=${name}`,
      ...argv,
    );

  const filesOf = async (name: string): Promise<Files> => {
    const { status, json, text } = await server.client.get(`${secretsPath}/${name}`);
    assert.equal(status, 200, text);
    const { data } = json as { readonly data: Files };
    return Object.fromEntries(
      Object.entries(data).map(([file, value]) => [file, Buffer.from(value, 'base64').toString()]),
    );
  };

  /** The Secrets of programs contain what the Secret with all files contains, and each certificate matches its key. */
  const assertConsistent = async (name: string): Promise<Files> => {
    const all = await filesOf(`${name}-init`);
    for (const audience of ['apiserver', 'controller-manager', 'admin'])
      for (const [file, text] of Object.entries(await filesOf(`${name}-${audience}`)))
        assert.equal(text, all[file], `${audience} ${file}`);
    for (const leaf of ['apiserver', 'admin', 'controller-manager', 'front-proxy-client'])
      assert.ok(
        new X509Certificate(all[`${leaf}.crt`] ?? '').checkPrivateKey(
          createPrivateKey(all[`${leaf}.key`] ?? ''),
        ),
      );
    const issuer = new X509Certificate(all['client-ca.crt'] ?? '');
    assert.ok(new X509Certificate(all['admin.crt'] ?? '').verify(issuer.publicKey));
    return all;
  };

  it('runs at the same time create one set of files, and the Secret of each program has only what it needs', async () => {
    const all = await Promise.all([1, 2, 3].map(() => initIn('many', '--server=https://api.example.com')));
    assert.deepEqual(
      all.map(({ code, stderr }) => [code, stderr]),
      all.map(() => [0, '']),
    );
    assert.equal(all.filter(({ stdout }) => /^admin\.key +created$/m.test(stdout)).length, 1);
    await assertConsistent('many');
    for (const [audience, file] of [
      ['apiserver', 'serving-ca.key'],
      ['apiserver', 'client-ca.key'],
      ['apiserver', 'admin.key'],
      ['controller-manager', 'encryption.yaml'],
      ['controller-manager', 'serving-ca.key'],
      ['admin', 'service-account.key'],
    ] as const)
      assert.ok(!(file in (await filesOf(`many-${audience}`))), `${audience} ${file}`);
  });

  it('a second run changes nothing, a copy that was changed or deleted is restored, and a dry run writes nothing', async () => {
    assert.match((await initIn('again', '--dry-run')).stdout, /nothing was changed/);
    assert.equal((await server.client.get(`${secretsPath}/again-init`)).status, 404);
    await initIn('again');
    const before = await assertConsistent('again');
    const second = await initIn('again', '--output=json');
    const { files } = JSON.parse(second.stdout) as { readonly files: readonly { readonly action: string }[] };
    assert.ok(files.every(({ action }) => action === 'kept'));
    await server.client.delete(`${secretsPath}/again-admin`);
    const copy = (await server.client.get(`${secretsPath}/again-apiserver`)).json as { data: object };
    const changed = await server.client.put(`${secretsPath}/again-apiserver`, { ...copy, data: {} });
    assert.equal(changed.status, 200, changed.text);
    const { stdout } = await initIn('again');
    assert.match(stdout, /^secret\/again-admin +created$/m);
    assert.match(stdout, /^secret\/again-apiserver +updated$/m);
    assert.deepEqual(await assertConsistent('again'), before);
  });

  it('steps of a rotation by runs at the same time are made once', async () => {
    await initIn('turn');
    for (const step of ['rotate', 'rotate-switch', 'rotate-finish']) {
      const runs = [1, 2].map(() => initIn('turn', `--${step}=clients,service-account`, '--rotate-wait=0s'));
      for (const { code, stderr } of await Promise.all(runs)) assert.equal(code, 0, stderr);
      const files = await assertConsistent('turn');
      const trusted = (files['client-ca.crt'] ?? '').match(/BEGIN CERTIFICATE/g)?.length;
      assert.equal(trusted, step === 'rotate-finish' ? 1 : 2, step);
    }
  });

  it('a cluster that refuses or cannot be reached is an error in one line', async () => {
    const refused = await initIn('refused', '--secrets-namespace=absent');
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^orch init: secret refused-init in namespace absent: [^\n]*not found[^\n]*\n$/,
    );
    const unreachable = await init('--as-secrets=cluster', '--client-config=/nonexistent');
    assert.equal(unreachable.code, 1);
    assert.match(unreachable.stderr, /^orch init: --client-config [^\n]*\n$/);
  });

  it('manifests for the files of a folder can be created in a cluster', async () => {
    using work = temporaryFolder();
    const { code, stdout } = await init(
      `--dir=${join(work.path, 'pki')}`,
      '--as-secrets=manifests',
      '--secrets-name=printed',
      '--secrets-namespace=default',
    );
    assert.equal(code, 0);
    const documents = stdout.split(/^---$/m).filter((text) => text.trim() !== '');
    assert.equal(documents.length, 3);
    for (const text of documents) {
      const made = await server.client.post(secretsPath, parseYaml(Buffer.from(text)) as object);
      assert.equal(made.status, 201, made.text);
    }
    assert.ok('admin.conf' in (await filesOf('printed-admin')));
  });
});
