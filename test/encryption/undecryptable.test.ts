import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { tempDir } from '@orch/storage/testing';
import { ApiClient, type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { jsonOf } from '../custom-resources/migrations.ts';
import { flagsOf, secretObject, secretPath, writeConfiguration } from './configurations.ts';

const rbac = namesFor('orch').apiVersion('rbac', 'v1');
const option = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const PREFIX = 'orch:enc:aesgcm:v1:lost:';

/** The access of a user to all secrets. */
async function allow(server: LaunchedServer, verbs: readonly string[]): Promise<void> {
  const path = `/apis/${rbac}`;
  const metadata = { name: `secrets-${verbs.length}` };
  const rules = [{ apiGroups: [''], resources: ['secrets'], verbs }];
  jsonOf(await server.client.post(`${path}/clusterroles`, { metadata, rules }), 201);
  jsonOf(
    await server.client.post(`${path}/clusterrolebindings`, {
      metadata,
      roleRef: { apiGroup: rbac.split('/')[0], kind: 'ClusterRole', name: metadata.name },
      subjects: [{ apiGroup: rbac.split('/')[0], kind: 'User', name: 'ann' }],
    }),
    201,
  );
}

const messageOf = ({ json }: ApiResponse): string => (json as { message: string }).message;

/** A server whose secret `gone` was encrypted with a key that was lost; `kept` can be decrypted. */
async function withLostKey(
  folder: string,
  lostFlags: (file: string) => readonly string[],
): Promise<LaunchedServer> {
  const [file, tokens] = [join(folder, 'encryption.json'), join(folder, 'tokens')];
  writeFileSync(tokens, 'ann,ann,1\n');
  const launch = (args: readonly string[]) =>
    launchServer({
      dataDir: join(folder, 'data'),
      certDir: join(folder, 'certs'),
      args: ['--authorization-mode=RBAC', `--token-auth-file=${tokens}`, ...args],
    });
  writeConfiguration(file, ['secrets'], [['aesgcm', 'lost']]);
  {
    await using server = await launch(flagsOf(file));
    jsonOf(await server.client.post(secretPath(), secretObject('gone', 'text of it')), 201);
    await server.stop();
  }
  writeConfiguration(file, ['secrets'], [['aesgcm', 'present'], ['identity']]);
  const server = await launch(lostFlags(file));
  jsonOf(await server.client.post(secretPath(), secretObject('kept', 'text')), 201);
  return server;
}

const configurations: readonly (readonly [string, (file: string) => readonly string[]])[] = [
  ['whose key was removed from the configuration', flagsOf],
  ['on a server without a configuration', () => []],
];

describe('objects that cannot be decrypted', { timeout: 120_000 }, () => {
  for (const [which, lostFlags] of configurations) {
    it(`an object ${which} is named in the log and is neither changed nor deleted by usual requests`, async () => {
      await using work = await tempDir('orch-undecryptable-');
      await using server = await withLostKey(work.path, lostFlags);
      const { client } = server;
      await server.waitFor(
        /a stored object cannot be read.*secrets.*default\/gone.*orch:enc:aesgcm:v1:lost:/,
        20_000,
      );
      const merge = { body: { data: {} }, contentType: 'application/merge-patch+json' };
      const answers = [
        await client.send('PATCH', secretPath('gone'), merge),
        await client.put(secretPath('gone'), secretObject('gone', 'other')),
        await client.delete(secretPath('gone')),
        await client.delete(secretPath()),
      ];
      for (const answer of answers) {
        assert.equal(answer.status, 500, answer.text);
        assert.match(
          messageOf(answer),
          /the stored object gone cannot be read|secrets cannot be read: default\/gone /,
        );
        assert.match(messageOf(answer), new RegExp(PREFIX));
      }
      assert.match(
        messageOf(await client.delete(secretPath('gone'))),
        new RegExp(`requires the option ${option}`),
      );
      assert.equal((await client.post(secretPath(), secretObject('gone', 'other'))).status, 409);
      assert.equal(server.output().includes('text of it'), false);
    });
  }

  it('an object is named, with the prefix of its key, by gets, lists and watches that contain it, and by no others', async () => {
    await using work = await tempDir('orch-undecryptable-');
    await using server = await withLostKey(work.path, flagsOf);
    const { client } = server;
    for (const path of [
      secretPath('gone'),
      secretPath(),
      '/api/v1/secrets?limit=1',
      `${secretPath()}?labelSelector=a%3Db`,
      `${secretPath()}?watch=1`,
      `${secretPath()}?fieldSelector=metadata.name%3Dgone`,
    ]) {
      const answer = await client.get(path);
      assert.equal(answer.status, 500, `${path}: ${answer.text}`);
      assert.match(messageOf(answer), new RegExp(`secrets cannot be read: default/gone .*${PREFIX}`), path);
    }
    for (const path of [
      secretPath('kept'),
      '/api/v1/namespaces/other/secrets',
      `${secretPath()}?fieldSelector=metadata.name%3Dkept`,
      '/api/v1/configmaps',
    ])
      assert.equal((await client.get(path)).status, 200, path);
    assert.equal((await client.delete(`${secretPath('gone')}?${option}=true`)).status, 200);
    assert.equal((await client.get(secretPath())).status, 200);
  });

  it('an object is readable again, without a restart, after its key was configured again', async () => {
    await using work = await tempDir('orch-undecryptable-');
    await using server = await withLostKey(work.path, flagsOf);
    const { client } = server;
    const textOf = async (): Promise<string | undefined> =>
      jsonOf<{ data?: Record<string, string> }>(await client.get(secretPath('gone'))).data?.['text'];
    writeConfiguration(join(work.path, 'encryption.json'), ['secrets'], [['aesgcm', 'present', 'lost']]);
    await server.waitFor(/objects that could not be read can be read now.*"count":1/, 20_000);
    assert.equal(await textOf(), Buffer.from('text of it').toString('base64'));
    assert.equal((await client.delete(secretPath('gone'))).status, 200);
  });

  it('an object that cannot be decrypted is deleted by users who may, with the option for it', async () => {
    await using work = await tempDir('orch-undecryptable-');
    await using server = await withLostKey(work.path, flagsOf);
    const { client } = server;
    using ann = new ApiClient({ ...server.config, cert: undefined, key: undefined, token: 'ann' });
    await allow(server, ['get', 'delete', 'deletecollection']);
    const path = `${secretPath('gone')}?${option}=true`;
    const refused = await ann.delete(path);
    assert.equal(refused.status, 403, refused.text);
    assert.match(messageOf(refused), /cannot unsafe-delete-ignore-read-errors resource "secrets"/);
    const collection = await ann.delete(`${secretPath()}?${option}=true`);
    assert.equal(collection.status, 422, collection.text);
    for (const other of [
      'dryRun=All',
      'gracePeriodSeconds=0',
      'propagationPolicy=Orphan',
      'orphanDependents=true',
    ]) {
      const answer = await client.delete(`${path}&${other}`);
      assert.equal(answer.status, 422, answer.text);
    }
    await allow(server, ['get', 'delete', 'deletecollection', 'unsafe-delete-ignore-read-errors']);
    const deleted = await ann.delete(path);
    assert.equal(deleted.status, 200, deleted.text);
    assert.equal((await client.get(secretPath('gone'))).status, 404);
    jsonOf(await client.post(secretPath(), secretObject('gone', 'new')), 201);
    // An object that can be read is deleted without the option only, also when it is in the body.
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', [option]: true };
    assert.equal((await ann.send('DELETE', secretPath('gone'), { body })).status, 409);
    assert.equal((await ann.delete(secretPath('gone'))).status, 200);
    assert.equal((await client.get(secretPath('kept'))).status, 200);
  });
});
