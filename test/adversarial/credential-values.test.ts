import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { kindsOf } from '@orch/apis';
import { namesFor, namings } from '@orch/machinery';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { CANARY, type CredentialKind, media, showsCanary, writesOf } from './broken-writes.ts';

const ns = '/api/v1/namespaces/default';

/** Every kind that is declared to hold credentials, by its neutral name. */
const credentialKinds = (naming: (typeof namings)[number]): Readonly<Record<string, CredentialKind>> => {
  const apiVersion = namesFor(naming).apiVersion('authentication', 'v1');
  const tokenReview = {
    collection: `/apis/${apiVersion}/tokenreviews`,
    valid: { kind: 'TokenReview', apiVersion, metadata: {}, spec: { token: CANARY, audiences: [CANARY] } },
  };
  return {
    '/v1 Secret': {
      collection: `${ns}/secrets`,
      object: `${ns}/secrets/stored`,
      valid: {
        kind: 'Secret',
        apiVersion: 'v1',
        metadata: {
          labels: { a: 'b' },
          annotations: { c: 'd' },
          finalizers: ['x.example/y'],
          ownerReferences: [],
        },
        type: 'Opaque',
        immutable: false,
        data: { password: Buffer.from(CANARY).toString('base64') },
        stringData: { other: CANARY },
      },
    },
    'authentication/v1 TokenReview': tokenReview,
    'authentication/v1beta1 TokenReview': tokenReview,
    'authentication/v1 TokenRequest': {
      collection: `${ns}/serviceaccounts/robot/token`,
      valid: {
        kind: 'TokenRequest',
        apiVersion,
        metadata: {},
        spec: { audiences: [CANARY], expirationSeconds: 600, boundObjectRef: null },
        status: { token: CANARY, expirationTimestamp: '2030-01-01T00:00:00Z' },
      },
    },
  };
};

const warningsOf = ({ headers }: ApiResponse): string => String(headers['warning'] ?? '');

for (const naming of namings) {
  describe(`values of kinds that hold credentials, ${naming} names`, { timeout: 120_000 }, () => {
    const work = mkdtempSync(join(tmpdir(), 'orch-canary-'));
    const auditLog = join(work, 'audit.log');
    const kinds = credentialKinds(naming);
    let server: LaunchedServer;

    before(async () => {
      const policy = join(work, 'policy.yaml');
      const apiVersion = namesFor(naming).apiVersion('audit', 'v1');
      writeFileSync(policy, `apiVersion: ${apiVersion}\nkind: Policy\nrules: [{level: Metadata}]\n`);
      server = await launchServer({
        naming,
        args: [
          '--v=10',
          '--emulated-version=1.27',
          `--audit-policy-file=${policy}`,
          `--audit-log-path=${auditLog}`,
        ],
      });
      const stored = kinds['/v1 Secret']?.valid ?? assert.fail();
      const metadata = { ...stored.metadata, name: 'stored' };
      const created = await server.client.post(`${ns}/secrets`, { ...stored, metadata });
      assert.equal(created.status, 201, created.text);
      const robot = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'robot' } };
      assert.equal((await server.client.post(`${ns}/serviceaccounts`, robot)).status, 201);
    });
    after(async () => {
      await server[Symbol.asyncDispose]();
      rmSync(work, { recursive: true, force: true });
    });

    it('every kind with credentials declares holdsCredentials', () => {
      const declared = kindsOf()
        .filter(({ schema }) => schema.holdsCredentials === true)
        .map(({ group, version, kind }) => `${group}/${version} ${kind}`);
      assert.deepEqual(declared.sort(), Object.keys(kinds).sort());
    });

    for (const [title, kind] of Object.entries(kinds)) {
      it(`values of ${title} appear in no response to a failing write and in no warning`, async () => {
        let failures = 0;
        for (const { method, path, contentType, body } of writesOf(
          kind,
          namesFor(naming).mediaTypes.protobuf,
        )) {
          const answer = await server.client.send(method, path, { contentType, body });
          const line = `${method} ${path} ${contentType} ${body}`;
          assert.ok(!showsCanary(warningsOf(answer)), `${line}: ${warningsOf(answer)}`);
          if (answer.status < 400) continue;
          failures++;
          assert.ok(answer.status < 500 || contentType === media.apply, `${line}: ${answer.text}`);
          assert.ok(!showsCanary(answer.text), `${line}: ${answer.text}`);
        }
        assert.ok(failures > 100, `${failures} writes failed`);
      });
    }

    it('values of an immutable secret, and of a secret with an apply conflict, appear in no response', async () => {
      const { client } = server;
      const frozen = {
        kind: 'Secret',
        apiVersion: 'v1',
        metadata: { name: 'frozen' },
        immutable: true,
        stringData: { a: CANARY },
      };
      assert.equal((await client.post(`${ns}/secrets`, frozen)).status, 201);
      const changed = await client.send('PUT', `${ns}/secrets/frozen`, {
        body: { ...frozen, stringData: { a: `${CANARY}2` } },
      });
      assert.equal(changed.status, 422);
      assert.match(changed.text, /field is immutable when `immutable` is set/);
      const applied = (name: string) =>
        client.send('PATCH', `${ns}/secrets/applied?fieldManager=${name}`, {
          contentType: media.apply,
          body: {
            kind: 'Secret',
            apiVersion: 'v1',
            metadata: { name: 'applied' },
            data: { a: Buffer.from(CANARY + name).toString('base64') },
          },
        });
      assert.equal((await applied('one')).status, 201);
      const conflict = await applied('two');
      assert.equal(conflict.status, 409);
      assert.match(conflict.text, /conflict with \\"one\\": \.data\.a/);
      for (const { text } of [changed, conflict]) assert.ok(!showsCanary(text), text);
    });

    it('failures about credential values are described without the values', async () => {
      for (const [body, expected] of [
        [{ data: { v: `!!${CANARY}` } }, /data\[v\]: expected base64 text, got a string/],
        [{ data: CANARY }, /data: expected an object, got a string/],
        [
          { metadata: { name: 'x', labels: { a: `%${CANARY}` } } },
          /metadata\.labels: Invalid value: <withheld>: a valid label/,
        ],
        [{ data: { 'a b': '' } }, /data\[a b\]: Invalid value: <withheld>: a valid config key must consist/],
      ] as const) {
        const answer = await server.client.post(`${ns}/secrets`, { metadata: { name: 'x' }, ...body });
        assert.match(String((answer.json as { message: string }).message), expected);
      }
    });

    it('failures about values of other kinds, such as config maps, include the values', async () => {
      for (const body of [
        { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c' }, data: CANARY },
        { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c', labels: { a: `%${CANARY}` } } },
      ]) {
        const answer = await server.client.post(`${ns}/configmaps`, body);
        assert.ok(answer.status >= 400 && answer.text.includes(CANARY), answer.text);
      }
    });

    it('credential values are in neither the server log nor the audit log at level Metadata', async () => {
      await server.stop();
      const log = server.output();
      assert.match(log, /tokenreviews/, 'requests are logged');
      const lines = log.split('\n').filter(showsCanary);
      assert.deepEqual(lines, []);
      const events = readFileSync(auditLog, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      assert.ok(events.length > 500, `${events.length} events`);
      const shown = events.filter(showsCanary).filter((line) => !line.includes('/configmaps'));
      assert.deepEqual(shown, []);
      assert.ok(
        events.some((line) => line.includes('"resource":"secrets"') && line.includes('expected base64 text')),
      );
    });
  });
}
