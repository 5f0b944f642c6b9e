import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, request as http1Request } from 'node:https';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import {
  DelegatedAuthenticator,
  DelegatedAuthorizer,
  type ExtensionApi,
  ExtensionServer,
  type ProxyTrust,
  type RequestUser,
} from '@orch/client/extension-server';
import { namesFor } from '@orch/machinery';
import { silentLogger, systemClock } from '@orch/machinery/env';
import type { KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { adminClient, type ConnectedClient } from './connection.ts';

const names = namesFor('kubernetes');
const api: ExtensionApi = {
  ...{ group: 'stars.example.com', version: 'v1' },
  resources: [
    {
      ...{ resource: 'stars', singular: 'star', kind: 'Star', namespaced: false },
      list: async () => [{ metadata: { name: 'vega' } }],
    },
  ],
};
const path = '/apis/stars.example.com/v1/stars';
const forged = { 'x-remote-user': 'system:admin', 'x-remote-group': 'system:masters' };
const HOUR_MS = 3_600_000;

describe('an extension API server', { timeout: 60_000 }, () => {
  const authority = testCertificate({ commonName: 'proxies', use: 'authority' });
  const otherAuthority = testCertificate({ commonName: 'proxies', use: 'authority' });
  const tls = testCertificate({ commonName: 'stars', use: 'server' });
  const client = (more: Partial<Parameters<typeof testCertificate>[0]> = {}, issuer = authority): KeyPair =>
    testCertificate({ commonName: 'front-proxy-client', use: 'client', ...more }, issuer);
  const proxy = client();
  const trust: ProxyTrust = {
    authorities: authority.cert,
    allowedNames: ['front-proxy-client'],
    usernameHeaders: ['X-Remote-User'],
    groupHeaders: ['X-Remote-Group'],
    extraHeaderPrefixes: ['X-Remote-Extra-'],
    uidHeaders: ['X-Remote-Uid'],
  };
  let server: LaunchedServer;
  let connected: ConnectedClient;
  let extension: ExtensionServer;
  let port = 0;
  let aheadMs = 0;
  /** The users that the authorizer was asked about. */
  let seen: RequestUser[] = [];
  const open: (ClientHttp2Session | Agent)[] = [];

  before(async () => {
    server = await launchServer({ naming: 'kubernetes', args: ['--authorization-mode=RBAC'] });
    connected = adminClient(server, 'kubernetes');
  });
  after(async () => {
    await connected?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    const clock = { ...systemClock, now: () => Date.now() + aheadMs };
    const authorizer = new DelegatedAuthorizer(connected.client, clock);
    aheadMs = 0;
    seen = [];
    extension = new ExtensionServer({
      ...{ api, names, tls, trust, env: { clock, log: silentLogger } },
      authenticator: new DelegatedAuthenticator(connected.client, clock),
      authorizer: {
        isAllowed: (user, access, signal) => {
          seen.push(user);
          return authorizer.isAllowed(user, access, signal);
        },
      },
    });
    port = await extension.listen(0, '127.0.0.1');
  });
  afterEach(async () => {
    for (const one of open.splice(0)) one.destroy();
    await extension[Symbol.asyncDispose]();
  });

  function session(identity: Partial<KeyPair> = {}): ClientHttp2Session {
    const opened = connect(`https://127.0.0.1:${port}`, { ca: tls.cert, ...identity });
    opened.on('error', () => undefined);
    open.push(opened);
    return opened;
  }

  const statusOf = (from: ClientHttp2Session, headers: object, at = path): Promise<number | string> =>
    new Promise((resolve, reject) => {
      const stream = from.request({ ':path': at, ...headers });
      stream.once('response', (fields) => resolve(Number(fields[':status'])));
      stream.once('error', (error: NodeJS.ErrnoException) => reject(error));
      stream.resume();
    });

  function http1Status(agent: Agent, headers: object): Promise<number> {
    if (!open.includes(agent)) open.push(agent);
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, agent, headers: { ...headers } };
      const outgoing = http1Request(options, (incoming) => {
        incoming.resume();
        incoming.once('end', () => resolve(incoming.statusCode ?? 0));
      });
      outgoing.once('error', reject).end();
    });
  }

  it('an extension API server serves the users of its proxy over HTTP/2 and HTTP/1.1', async () => {
    const groups = ['x-remote-group', 'a,b', 'X-Remote-Group', 'system:masters'];
    const agent = new Agent({ ca: tls.cert, keepAlive: true, ...proxy });
    assert.equal(await http1Status(agent, forged), 200);
    assert.equal(
      await statusOf(session(proxy), { ...forged, 'x-remote-group': [groups[1], groups[3]] }),
      200,
    );
    assert.deepEqual(
      seen.map((user) => [user.name, user.groups]),
      [
        ['system:admin', ['system:masters']],
        ['system:admin', ['a,b', 'system:masters']],
      ],
    );
  });

  for (const [title, identity] of [
    ['no certificate', {}],
    ['a certificate with another name', client({ commonName: 'someone' })],
    [
      'an expired certificate',
      client({ notBefore: Date.now() - 2 * HOUR_MS, notAfter: Date.now() - HOUR_MS }),
    ],
    [
      'a certificate that is not valid yet',
      client({ notBefore: Date.now() + HOUR_MS, notAfter: Date.now() + 2 * HOUR_MS }),
    ],
    ['a certificate of another authority with the same name', client({}, otherAuthority)],
    ['a self-signed certificate', testCertificate({ commonName: 'front-proxy-client', use: 'client' })],
    ['a serving certificate of the authority', client({ use: 'server' })],
    ['its own serving certificate', tls],
  ] as const)
    it(`an extension API server answers forged header fields over a connection with ${title} with 401`, async () => {
      const from = session(identity);
      assert.equal(await statusOf(from, forged), 401);
      assert.equal(await statusOf(from, forged, '/apis/stars.example.com/v1'), 401);
      assert.equal(await http1Status(new Agent({ ca: tls.cert, ...identity }), forged), 401);
      assert.deepEqual(seen, []);
    });

  it('an extension API server answers requests of its proxy without a user, and anonymous requests, with 401', async () => {
    assert.equal(await statusOf(session(proxy), { 'x-remote-group': 'system:masters' }), 401);
    assert.equal(await statusOf(session(), {}), 401);
    assert.deepEqual(seen, []);
  });

  it('an extension API server answers health checks of anyone', async () => {
    assert.equal(await statusOf(session(), {}, '/readyz'), 200);
  });

  it('an extension API server asks the API server for the user of a token', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.client.post(accounts, { metadata: { name: 'reader' } });
    const { json } = await server.client.post(`${accounts}/reader/token`, {});
    const { token } = (json as { readonly status: { readonly token: string } }).status;
    const from = session();
    const authorized = (value: string) => statusOf(from, { ...forged, authorization: `Bearer ${value}` });
    assert.equal(await authorized(token), 403);
    assert.equal(await authorized(`${token}x`), 401);
    assert.equal(await authorized('x'), 401);
    assert.equal(await statusOf(from, { authorization: `Basic ${token}` }), 401);
    assert.deepEqual(
      seen.map((user) => user.name),
      ['system:serviceaccount:default:reader'],
    );
  });

  it('an extension API server trusts a certificate only while it is valid, also over a connection that stays open', async () => {
    const from = session(proxy);
    assert.equal(await statusOf(from, forged), 200);
    aheadMs = 2 * HOUR_MS;
    assert.equal(await statusOf(from, forged), 401);
  });

  it('an extension API server trusts other names from the next request on', async () => {
    const from = session(proxy);
    assert.equal(await statusOf(from, forged), 200);
    extension.updateTrust({ ...trust, allowedNames: ['another'] });
    assert.equal(await statusOf(from, forged), 401);
    extension.updateTrust(undefined);
    assert.equal(await statusOf(session(proxy), forged), 401);
  });

  it('an extension API server serves no request over a connection of a previous authority after the authorities have changed', async () => {
    const from = session(proxy);
    const agent = new Agent({ ca: tls.cert, keepAlive: true, maxSockets: 1, ...proxy });
    assert.equal(await statusOf(from, forged), 200);
    assert.equal(await http1Status(agent, forged), 200);
    extension.updateTrust({ ...trust, authorities: otherAuthority.cert });
    await assert.rejects(statusOf(from, forged));
    await assert.rejects(http1Status(agent, forged));
    assert.equal(await statusOf(session(proxy), forged), 401);
    assert.equal(await statusOf(session(client({}, otherAuthority)), forged), 200);
  });

  it('an extension API server does not resume TLS sessions of a previous authority', async () => {
    const tlsTo = (more: object): Promise<TLSSocket> =>
      new Promise((resolve, reject) => {
        const socket = connectTls({ host: '127.0.0.1', port, ca: tls.cert, ...proxy, ...more });
        socket.once('secureConnect', () => resolve(socket)).once('error', reject);
      });
    const first = await tlsTo({});
    const [ticket] = (await once(first, 'session')) as [Buffer];
    first.destroy();
    extension.updateTrust({ ...trust, authorities: otherAuthority.cert });
    const second = await tlsTo({ session: ticket });
    second.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nx-remote-user: system:admin\r\n\r\n`);
    const [answer] = (await once(second, 'data')) as [Buffer];
    second.destroy();
    assert.match(answer.toString(), /^HTTP\/1.1 401 /);
  });

  it('an extension API server rejects authorities that cannot be used, and keeps the previous ones', async () => {
    assert.throws(() => extension.updateTrust({ ...trust, authorities: '-----BEGIN CERTIFICATE-----\nx\n' }));
    assert.equal(await statusOf(session(proxy), forged), 200);
  });

  it('the server presents another certificate from the next connection on', async () => {
    const renewed = testCertificate({ commonName: 'renewed', use: 'server' });
    extension.updateCertificate(renewed);
    const from = connect(`https://127.0.0.1:${port}`, { ca: renewed.cert, ...proxy });
    open.push(from);
    assert.equal(await statusOf(from, forged), 200);
  });
});
