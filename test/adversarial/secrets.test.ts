import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ApiClient, type LaunchedServer, launchServer } from '@orch/testkit';

const secrets = '/api/v1/namespaces/default/secrets';

/** Files below a folder with the bits of their mode that give access to others. */
function openFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(dir, name)).isFile() && (statSync(join(dir, name)).mode & 0o077) !== 0)
    .sort();
}

describe('disclosure of secrets', { timeout: 60_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-secret-'));
  const [certDir, dataDir] = [join(work, 'certs'), join(work, 'data')];
  let server: LaunchedServer;
  let ops = 0;
  before(async () => {
    // Folders that existed before, and that everybody may read.
    writeFileSync(join(work, 'tokens'), 'hunter2,alice,1\n');
    for (const dir of [certDir, dataDir]) {
      mkdirSync(dir);
      chmodSync(dir, 0o755);
    }
    server = await launchServer({
      certDir,
      dataDir,
      args: ['--v=10', `--token-auth-file=${join(work, 'tokens')}`, '--ops-bind-address=127.0.0.1:0'],
    });
    const [, port] = await server.waitFor(/(?:http:\/\/|ops[^\n]*?)127\.0\.0\.1:(\d+)/, 5_000);
    ops = Number(port);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  it('the log of the server contains no secrets at the highest verbosity', async () => {
    const { cert: _cert, key: _key, ...anonymous } = server.config;
    using alice = new ApiClient({ ...anonymous, cert: undefined, key: undefined, token: 'hunter2' });
    using mallory = new ApiClient({ ...anonymous, cert: undefined, key: undefined, token: 'guess99' });
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { a: 'correct-horse' },
    };
    assert.equal((await alice.post(secrets, secret)).status, 201);
    assert.equal((await alice.get(`${secrets}/s`)).status, 200);
    assert.equal((await alice.post(secrets, { ...secret, data: 'correct-horse' })).status, 400);
    const patch = JSON.stringify({ stringData: { b: 'correct-horse' } });
    const contentType = 'application/merge-patch+json';
    assert.equal((await alice.send('PATCH', `${secrets}/s`, { body: patch, contentType })).status, 200);
    assert.equal((await mallory.get(secrets)).status, 401);
    await server.waitFor(/credentials rejected/, 5_000);
    const log = server.output();
    assert.match(log, /secrets/, 'requests are logged');
    assert.doesNotMatch(
      log,
      /hunter2|guess99|correct-horse|Y29ycmVjdC1ob3JzZ|PRIVATE KEY|authorization["':]/i,
    );
  });

  it('files with secrets are readable by their owner only, also in world-readable folders', () => {
    assert.deepEqual(openFiles(certDir), []);
    assert.deepEqual(openFiles(dataDir), []);
    assert.equal(statSync(server.adminConfig).mode & 0o077, 0);
  });

  it('the ops port serves no data of objects', async () => {
    const get = (path: string, method = 'GET'): Promise<number> =>
      new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port: ops, path, method }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          .on('error', reject)
          .end();
      });
    assert.equal(await get('/livez'), 200);
    for (const path of [
      secrets,
      '/api',
      '/version',
      '/openapi/v2',
      '/readyz/../api/v1/secrets',
      '/debug/pprof',
    ]) {
      assert.equal(await get(path), 404, path);
    }
    assert.equal(await get('/metrics', 'DELETE'), 404);
  });

  it('unauthenticated requests cannot determine whether an object exists', async () => {
    using nobody = new ApiClient({ ...server.config, cert: undefined, key: undefined });
    const answers = new Set<string>();
    for (const path of [
      '/',
      '/version',
      '/livez',
      '/metrics',
      '/openapi/v2',
      '/api',
      secrets,
      `${secrets}/s`,
      '/none',
      '/api/v9/x',
    ]) {
      const answer = await nobody.get(path);
      assert.equal(answer.status, 401, path);
      answers.add(answer.text);
    }
    assert.equal(answers.size, 1);
  });

  it('no request path reaches store keys outside of its resource', async () => {
    const { client } = server;
    for (const path of [
      '/api/v1/~internal',
      '/api/v1/~internal/paging-key',
      '/api/v1/namespaces/~internal/configmaps/paging-key',
      '/api/v1/namespaces/default/configmaps/..%2f..%2fsecrets%2fdefault%2fs',
      '/api/v1/namespaces/..%2fsecrets%2fdefault/configmaps/s',
      '/api/v1/namespaces/default%2fs/secrets',
      '/api/v1/namespaces/%2e%2e/secrets/default/s',
      '/api/v1/namespaces/default/configmaps/%252e%252e%252fsecrets',
      '/api/v1/namespaces/default//secrets',
      '/API/v1/namespaces/default/secrets/s',
      '/api/v1/namespaces/default/Secrets/s',
      '/api/v1/namespaces/default/secrets/S',
      '/api/v1/namespaces/default/secrets/s%00',
      '/api/v1/namespaces/default/secrets/s//',
    ]) {
      const answer = await client.get(path);
      assert.ok(answer.status === 404 || answer.status === 400, `${path}: ${answer.status} ${answer.text}`);
      assert.doesNotMatch(answer.text, /Y29ycmVjdC1ob3JzZ/);
    }
    for (const selector of [
      'metadata.namespace=default/s',
      'metadata.namespace=..',
      'metadata.name=../s',
      'metadata.name=',
    ]) {
      const answer = await client.get(`/api/v1/configmaps?fieldSelector=${encodeURIComponent(selector)}`);
      assert.deepEqual((answer.json as { items: unknown[] }).items, [], selector);
    }
  });
});
