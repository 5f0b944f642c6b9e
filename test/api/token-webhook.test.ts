import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { encodeYaml } from '@orch/machinery/yaml';
import { testCertificate } from '@orch/pki/x509/testing';
import { ApiClient, type LaunchedServer, launchServer } from '@orch/testkit';

const apiVersion = 'authentication.orch.io/v1';
const longText = 'x'.repeat(5000);
/** Errors of the service, by token. */
const errors: Readonly<Record<string, string | undefined>> = {
  stale: 'the token is too old',
  silent: undefined,
  long: longText,
};

describe('a review of a token that the token webhook refuses', { timeout: 60_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-token-webhook-'));
  const pair = testCertificate({ commonName: 'webhook', use: 'server' });
  const service = createServer(pair, async (incoming, outgoing) => {
    let text = '';
    for await (const part of incoming) text += String(part);
    const { token } = (JSON.parse(text) as { readonly spec: { readonly token: string } }).spec;
    const status = { authenticated: false, error: errors[token] };
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ apiVersion, kind: 'TokenReview', status }));
  });
  let server: LaunchedServer;

  before(async () => {
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const { port } = service.address() as AddressInfo;
    const config = join(work, 'webhook.conf');
    const cluster = {
      server: `https://127.0.0.1:${port}/`,
      'certificate-authority-data': Buffer.from(pair.cert).toString('base64'),
    };
    writeFileSync(
      config,
      encodeYaml({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'remote', cluster }],
        users: [{ name: 'me', user: {} }],
        contexts: [{ name: 'webhook', context: { cluster: 'remote', user: 'me' } }],
        'current-context': 'webhook',
      }),
    );
    // Another authenticator rejects the token before the service does.
    writeFileSync(join(work, 'tokens.csv'), 'hunter2,bert,1\n');
    server = await launchServer({
      args: [
        `--authentication-token-webhook-config-file=${config}`,
        '--authentication-token-webhook-version=v1',
        `--token-auth-file=${join(work, 'tokens.csv')}`,
      ],
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    service.closeAllConnections();
    service.close();
    rmSync(work, { recursive: true, force: true });
  });

  for (const [token, expected] of [
    ['stale', 'the token is too old'],
    ['silent', 'invalid bearer token'],
    ['long', longText.slice(0, 1024)],
  ] as const)
    it(`a TokenReview of a token that the webhook refuses has the error of the webhook in its status: ${token}`, async () => {
      const path = `/apis/${apiVersion}/tokenreviews`;
      const { status, json, text } = await server.client.post(path, { spec: { token } });
      assert.equal(status, 201, text);
      const found = (json as { readonly status: Readonly<Record<string, unknown>> }).status;
      assert.deepEqual([found['authenticated'] ?? false, found['error']], [false, expected]);
    });

  it('a request with a token that the webhook refuses does not receive the error of the webhook', async () => {
    using stranger = new ApiClient({ ...server.config, cert: undefined, key: undefined, token: 'stale' });
    const refused = await stranger.get('/api/v1/pods');
    assert.equal(refused.status, 401, refused.text);
    assert.doesNotMatch(refused.text, /too old/);
  });
});
