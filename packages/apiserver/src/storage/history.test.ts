import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { UsageError } from '@orch/program';
import { prefixRange, readable } from '@orch/storage';
import { openEmbeddedStore } from '@orch/storage/embedded';
import { tempDir } from '@orch/storage/testing';
import {
  adminOf,
  get,
  type Run,
  settingsOfArguments,
  startInProcess,
  systemParts,
} from '../testing/run-in-process.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const { signal } = new AbortController();

async function send(run: Run, method: string, path: string, body: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    };
    request(run.url + path, { ...adminOf(run), method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end(JSON.stringify(body));
  });
}

describe('the flags of the history', () => {
  for (const argument of ['--history-max-size=1', '--history-max-size=x', '--history-max-size=-5Mi'])
    it(`the value of ${argument} is refused`, () =>
      assert.throws(() => settingsOfArguments('--history-retention=1h', argument), UsageError));

  it('the flags of the history are off unless a retention is given', () => {
    assert.equal(settingsOfArguments().history, undefined);
    assert.deepEqual(settingsOfArguments('--history-retention=1h').history, {
      retentionMs: 3_600_000,
      maxBytes: 256 * 1024 * 1024,
    });
  });
});

describe('a server with a history and encryption at rest', () => {
  it('a server with a history and encryption at rest has the history of secrets after a restart, and nothing of it is readable in the store', async () => {
    await using dir = await tempDir('orch-history-');
    const file = join(dir.path, 'encryption.yaml');
    const key = Buffer.alloc(32, 7).toString('base64');
    const configuration = {
      apiVersion: namesFor('orch').apiVersion('apiserverconfig', 'v1'),
      kind: 'EncryptionConfiguration',
      resources: [
        {
          resources: ['secrets'],
          providers: [{ aesgcm: { keys: [{ name: 'a', secret: key }] } }, { identity: {} }],
        },
      ],
    };
    writeFileSync(file, JSON.stringify(configuration));
    const start = (): Promise<Run> =>
      startInProcess(dir.path, '--history-retention=1h', `--encryption-provider-config=${file}`);
    const first = await start();
    assert.equal(
      await send(first, 'POST', secrets, { metadata: { name: 's' }, stringData: { p: 'first' } }),
      201,
    );
    assert.equal(await send(first, 'PATCH', `${secrets}/s`, { stringData: { p: 'second' } }), 200);
    const why = '/why/object?resource=secrets&namespace=default&name=s&field=.data.p';
    assert.match(
      (await get(first.url + why, adminOf(first))).text,
      /the user .* wrote it at .*, resourceVersion \d/,
    );
    assert.equal(await send(first, 'DELETE', `${secrets}/s`, {}), 200);
    await first.stop();
    const second = await start();
    const admin = adminOf(second);
    const { changes } = JSON.parse((await get(`${second.url}/history${secrets}/s`, admin)).text) as {
      readonly changes: readonly { readonly change: string; readonly previousRevision: string }[];
    };
    assert.deepEqual(
      changes.map(({ change }) => change),
      ['deleted', 'updated', 'created'],
    );
    const states = changes.slice(0, 2).map(async ({ previousRevision }) => {
      const { text } = await get(`${second.url}/history${secrets}/s?at=${previousRevision}`, admin);
      return Buffer.from((JSON.parse(text) as { data: { p: string } }).data.p, 'base64').toString();
    });
    assert.deepEqual(await Promise.all(states), ['second', 'first']);
    await second.stop();
    const store = await openEmbeddedStore({ dir: `${dir.path}/data`, env: systemParts() });
    const { items } = await store.list(prefixRange('/registry~history/secrets/'), {}, signal);
    assert.equal(items.length, 3);
    for (const { value } of items.map((kv) => readable(kv))) {
      assert.match(value.toString('latin1'), /^orch:enc:aesgcm:v1:a:/);
      assert.doesNotMatch(value.toString('latin1'), /Zmlyc3|c2Vjb25k/);
    }
    await store.close();
  });
});
