import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect } from 'node:tls';
import type { UserInfo } from '@orch/auth';
import { type Listener, listen } from '@orch/http';
import { namesFor } from '@orch/machinery';
import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { FakeClock, recordedLog } from '@orch/machinery/testing';
import { durationMs } from '@orch/machinery/time';
import { createServer } from '@orch/pipeline';
import type { CertificateContent, KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';
import { flagValues, splitCommandLine } from '@orch/program';
import { ServedCertificates, servingTls } from '../certificates/reload.ts';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { Reloads } from '../reload/reloads.ts';
import { servingSettings } from '../settings/serving-settings.ts';
import { authenticationMethods, authenticatorOf } from './authentication.ts';
import { ClientTrust } from './client-trust.ts';

const start = Date.now();
const issue = (request: Partial<CertificateContent>, issuer?: KeyPair): KeyPair =>
  testCertificate({ commonName: 'mallory', use: 'client', ...request }, issuer);
const authority = (commonName: string): KeyPair => issue({ commonName, use: 'authority' });

const servingCa = authority('serving-ca');
const servingOf = (name: string): KeyPair =>
  issue({ commonName: name, use: 'server', hosts: ['localhost', '127.0.0.1'] }, servingCa);
const ownCa = authority('own-ca');
const firstCa = authority('first-ca');
const secondCa = authority('second-ca');
const proxyCa = authority('proxy-ca');
const strangeCa = authority('proxy-ca');

const none: KeyPair | undefined = undefined;
const alice = issue({ commonName: 'alice', organizations: ['dev'] }, firstCa);
const proxy = issue({ commonName: 'front' }, proxyCa);
const intermediate = issue({ commonName: 'intermediate', use: 'authority' }, proxyCa);
const chained = issue({ commonName: 'front' }, intermediate);
const proxyWithChain: KeyPair = { key: chained.key, cert: chained.cert + intermediate.cert };
const listedIntermediate = issue({ commonName: 'listed', use: 'authority' }, proxyCa);
const listedChain = issue({ commonName: 'front' }, listedIntermediate);
const clientIntermediate = issue({ commonName: 'between', use: 'authority' }, firstCa);
const below = issue({ commonName: 'below' }, clientIntermediate);
const belowWithChain: KeyPair = { key: below.key, cert: below.cert + clientIntermediate.cert };
const names = namesFor('orch');

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A server with the given flags, over TLS, that returns the authenticated user. */
async function serve(folder: string, args: readonly string[]) {
  const flags = flagValues(apiServerFlags, splitCommandLine(apiServerFlags, args).given);
  const clock = new FakeClock(start);
  const log = recordedLog(clock);
  const env = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: createMetrics() };
  const trust = new ClientTrust(flags);
  const methods = authenticationMethods(flags, {
    env: { ...env, clock },
    names,
    trust,
    audiences: [],
    reloads: new Reloads(),
  });
  trust.addOwn(ownCa.cert);
  const server = createServer({
    env,
    names,
    authenticator: authenticatorOf(flags, methods, {
      env,
      names,
      anonymous: { configured: () => undefined, isUnrestricted: () => false },
    }),
    authorizer: { authorize: () => ({ verdict: 'allow', reason: '' }) },
    resources: ({ user }) => ({
      kind: 'bytes',
      status: 200,
      headers: {},
      body: Buffer.from(JSON.stringify(user)),
    }),
    servesResource: () => true,
    routes: [],
    apiPaths: () => [],
    requestTimeoutMs: 60_000,
    maxRequestsInflight: 0,
    maxMutatingRequestsInflight: 0,
    parseDuration: durationMs,
  });
  const certificates = {
    serving: servingOf('first'),
    servingCa: servingCa.cert,
    isServingCaOwn: true,
    proxyClient: undefined,
    clientAuthority: ownCa,
    admin: alice,
  };
  const settings = servingSettings(flags);
  const listener = await listen({
    env,
    server,
    host: '127.0.0.1',
    port: 0,
    tls: servingTls({ serving: certificates.serving, trust, settings, ticketSecret: new Uint8Array(32) }),
  });
  const stop = new AbortController();
  const served = new ServedCertificates({
    flags,
    ticketsOfProcess: new SharedArrayBuffer(32),
    settings,
    certificates,
    trust,
    listener,
    env: { ...env, clock, log: log.log },
  });
  const reloading = served.run(stop.signal);
  return {
    folder,
    listener,
    clock,
    entries: log.entries,
    async close() {
      stop.abort();
      await reloading;
      await listener.drain(AbortSignal.abort());
      server.close();
    },
  };
}

async function sendRequest(
  listener: Listener,
  identity: KeyPair | undefined,
  fields: Fields = {},
  agent: Agent | false = false,
): Promise<UserInfo | number> {
  const { status, text } = await new Promise<{ status: number | undefined; text: string }>(
    (resolve, reject) => {
      const options = { host: '127.0.0.1', port: listener.port, path: '/api/v1/nodes', agent };
      const headers = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
      );
      request({ ...options, ca: servingCa.cert, ...identity, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode, text }));
      })
        .on('error', reject)
        .end();
    },
  );
  return status === 200 ? (JSON.parse(text) as UserInfo) : (status ?? 0);
}

const nameOf = async (...request: Parameters<typeof sendRequest>): Promise<string | number> => {
  const user = await sendRequest(...request);
  return typeof user === 'number' ? user : user.name;
};

const folder = mkdtempSync(join(tmpdir(), 'orch-credentials-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, ...pairs: readonly KeyPair[]): string => {
  const path = join(folder, name);
  writeFileSync(path, pairs.map(({ cert }) => cert).join('\n'));
  return path;
};
const anonymous = 'system:anonymous';

describe('an authenticating proxy', { timeout: 60_000 }, () => {
  let served: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    served = await serve(folder, [
      `--client-ca-file=${file('clients.crt', firstCa, secondCa)}`,
      `--requestheader-client-ca-file=${file('proxies.crt', proxyCa, listedIntermediate)}`,
      '--requestheader-allowed-names=front,other',
      '--requestheader-username-headers=X-Remote-User,X-Second-User',
      '--requestheader-uid-headers=X-Remote-Uid,X-Second-Uid',
      '--requestheader-group-headers=X-Remote-Group,X-More-Groups',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      '--authorization-mode=AlwaysDeny',
      '--tls-cert-file=',
    ]);
  });
  after(() => served.close());

  const user = { 'X-Remote-User': 'bob' };
  for (const [what, identity, fields, expected] of [
    ['the proxy names a user', proxy, user, 'bob'],
    ['the field name is in another case', proxy, { 'x-REMOTE-user': 'bob' }, 'bob'],
    ['the second field has a value', proxy, { 'X-Remote-User': '', 'X-Second-User': 'carol' }, 'carol'],
    ['both fields have a value', proxy, { ...user, 'X-Second-User': 'carol' }, 'bob'],
    ['the proxy sends an intermediate authority that is not in the file', proxyWithChain, user, 401],
    ['the intermediate authority is in the file', listedChain, user, 'bob'],
    ['the proxy names no user', proxy, {}, 401],
    ['the proxy names the user twice', proxy, { 'X-Remote-User': ['admin', 'bob'] }, 401],
    ['the proxy names the uid twice', proxy, { ...user, 'X-Remote-Uid': ['1', '2'] }, 401],
    ['the uid is not UTF-8', proxy, { ...user, 'X-Remote-Uid': 'b\u00f8b' }, 401],
    ['the proxy sends a uid and no user', proxy, { 'X-Remote-Uid': '1' }, 401],
    ['the field is written with an underscore', proxy, { X_Remote_User: 'bob' }, 401],
    ['the name is not UTF-8', proxy, { 'X-Remote-User': 'b\u00f8b' }, 401],
    ['the fields are sent without a certificate', none, user, anonymous],
    ['the fields are sent with the certificate of a user', alice, user, 'alice'],
    [
      'the certificate is of an authority with the same name',
      issue({ commonName: 'front' }, strangeCa),
      user,
      401,
    ],
    ['the certificate has another name', issue({ commonName: 'back' }, proxyCa), user, 401],
    ['the certificate is for servers', issue({ commonName: 'front', use: 'server' }, proxyCa), user, 401],
    [
      'the certificate has expired',
      issue({ commonName: 'front', notAfter: start - 1000 }, proxyCa),
      user,
      401,
    ],
    ['the certificate signs itself', issue({ commonName: 'front' }), user, 401],
    ['a user has the name of the proxy', issue({ commonName: 'front' }, firstCa), user, 'front'],
  ] as const) {
    it(`an authenticating proxy authenticates as ${expected} when ${what}`, async () => {
      assert.equal(await nameOf(served.listener, identity, fields), expected);
    });
  }

  const everything = {
    ...user,
    'X-Remote-Uid': 'u-7',
    'X-Second-Uid': 'u-8',
    'X-Remote-Group': ['dev', 'a, b', ''],
    'x-more-groups': 'ops',
    'X-Remote-Extra-Acme.com%2FProject': ['one', 'two'],
    'X-Remote-Extra-SCOPE': 'x',
  };
  const whole = {
    name: 'bob',
    uid: 'u-7',
    groups: ['dev', 'a, b', 'ops', 'system:authenticated'],
    extra: { 'acme.com/project': ['one', 'two'], scope: ['x'] },
  };
  it('an authenticating proxy passes groups and extra values unchanged', async () => {
    assert.deepEqual(await sendRequest(served.listener, proxy, everything), whole);
  });

  it('an authenticating proxy alone determines a uid by its fields', async () => {
    const uid = { ...user, 'X-Remote-Uid': 'u-7' };
    const seen = await Promise.all([none, alice].map((one) => sendRequest(served.listener, one, uid)));
    for (const one of seen) assert.equal(typeof one === 'number' ? one : one.uid, '');
    assert.equal(await nameOf(served.listener, issue({ commonName: 'back' }, proxyCa), uid), 401);
  });

  it('an authenticating proxy passes no uid without the flag for it', async () => {
    const other = await serve(folder, [
      `--requestheader-client-ca-file=${file('proxies-only.crt', proxyCa)}`,
      '--requestheader-username-headers=X-Remote-User',
      '--authorization-mode=AlwaysDeny',
    ]);
    const seen = await sendRequest(other.listener, proxy, { ...user, 'X-Remote-Uid': 'u-7' });
    await other.close();
    assert.deepEqual(seen, { name: 'bob', uid: '', groups: ['system:authenticated'], extra: {} });
  });

  it('an authenticating proxy passes the same user over HTTP/2', async () => {
    const session = connectHttp2(`https://127.0.0.1:${served.listener.port}`, {
      ca: servingCa.cert,
      cert: proxy.cert,
      key: proxy.key,
    });
    const fields: Record<string, string | string[]> = { ':path': '/api/v1/nodes' };
    for (const [name, value] of Object.entries(everything))
      fields[name.toLowerCase()] = typeof value === 'string' ? value : [...value];
    const text = await new Promise<string>((resolve, reject) => {
      const stream = session.request(fields);
      let body = '';
      stream.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      stream.on('end', () => resolve(body)).on('error', reject);
    });
    session.close();
    const user = JSON.parse(text) as UserInfo;
    assert.deepEqual(
      { ...user, groups: [...user.groups].sort() },
      { ...whole, groups: [...whole.groups].sort() },
    );
  });

  it('an authenticating proxy does not affect the next request of its connection', async () => {
    const outcomes = await Promise.all([
      nameOf(served.listener, proxy, { 'X-Remote-User': 'one' }),
      nameOf(served.listener, proxy, { 'X-Remote-User': 'two' }),
      nameOf(served.listener, proxy),
    ]);
    assert.deepEqual(outcomes, ['one', 'two', 401]);
  });
});

describe('client certificates', { timeout: 60_000 }, () => {
  for (const [what, identity, expected] of [
    ['none, with anonymous requests disabled', none, 401],
    ['one of the first authority', alice, 'alice'],
    ['one of the second authority', issue({ commonName: 'bob' }, secondCa), 'bob'],
    ["one of the server's own authority", issue({ commonName: 'admin' }, ownCa), 'admin'],
    ['one of the authority of servers', issue({}, servingCa), 401],
    ['one of the authority for proxies', proxy, 401],
    ['one of an unknown authority', issue({}, strangeCa), 401],
    ['one for servers', issue({ use: 'server' }, firstCa), 401],
    ['one that has expired', issue({ notAfter: start - 1000 }, firstCa), 401],
  ] as const) {
    it(`client certificates of several authorities are accepted: ${what} is ${expected}`, async () => {
      const served = await serve(folder, [
        `--client-ca-file=${file('several.crt', firstCa, secondCa)}`,
        `--requestheader-client-ca-file=${file('proxies.crt', proxyCa)}`,
        '--requestheader-username-headers=X-Remote-User',
        '--anonymous-auth=false',
      ]);
      assert.equal(await nameOf(served.listener, identity), expected);
      await served.close();
    });
  }

  it('client certificates that are invalid are not treated as anonymous', async () => {
    const served = await serve(folder, ['--authorization-mode=AlwaysDeny']);
    assert.equal(await nameOf(served.listener, none), anonymous);
    assert.equal(await nameOf(served.listener, issue({}, strangeCa)), 401);
    assert.equal(await nameOf(served.listener, none, { authorization: 'Bearer xyz' }), 401);
    assert.equal(await nameOf(served.listener, none, { authorization: 'Basic eDp5' }), anonymous);
    await served.close();
  });
});

describe('certificate files that change', { timeout: 60_000 }, () => {
  it('changed certificate files admit new clients and reject old ones, also on open connections', async () => {
    const path = file('changing.crt', firstCa);
    const served = await serve(folder, [`--client-ca-file=${path}`, '--authorization-mode=AlwaysDeny']);
    const bob = issue({ commonName: 'bob' }, secondCa);
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ...alice, ca: servingCa.cert });
    assert.equal(await nameOf(served.listener, belowWithChain), 'below');
    const kept = () => nameOf(served.listener, alice, {}, agent);
    assert.deepEqual([await kept(), await nameOf(served.listener, bob)], ['alice', 401]);
    file('changing.crt', firstCa, secondCa);
    await served.clock.advanceAsync(1_000);
    assert.deepEqual([await kept(), await nameOf(served.listener, bob)], ['alice', 'bob']);
    file('changing.crt', secondCa);
    await served.clock.advanceAsync(1_000);
    assert.deepEqual([await kept(), await nameOf(served.listener, alice)], [401, 401]);
    assert.equal(await nameOf(served.listener, belowWithChain), 401);
    assert.equal(await nameOf(served.listener, bob), 'bob');
    agent.destroy();
    await served.close();
  });

  it('certificate files that change have no effect while they cannot be read', async () => {
    const path = file('broken.crt', firstCa);
    const served = await serve(folder, [`--client-ca-file=${path}`, '--authorization-mode=AlwaysDeny']);
    writeFileSync(path, 'nothing');
    await served.clock.advanceAsync(1_000);
    assert.equal(await nameOf(served.listener, alice), 'alice');
    assert.match(
      served.entries.map((entry) => String(entry['error'] ?? '')).join(),
      /--client-ca-file .*broken\.crt: it contains no certificate/,
    );
    file('broken.crt', secondCa);
    await served.clock.advanceAsync(1_000);
    assert.equal(await nameOf(served.listener, alice), 401);
    await served.close();
  });

  it('certificate files that change are used as soon as certificate and key match', async () => {
    const [before, later] = [servingOf('before'), servingOf('later')];
    const pair = { cert: join(folder, 'serving.crt'), key: join(folder, 'serving.key') };
    writeFileSync(pair.cert, before.cert);
    writeFileSync(pair.key, before.key);
    const served = await serve(folder, [
      `--tls-cert-file=${pair.cert}`,
      `--tls-private-key-file=${pair.key}`,
    ]);
    const shown = async (): Promise<string> => {
      const { port } = served.listener;
      const socket = connect({ host: '127.0.0.1', port, ca: servingCa.cert });
      await once(socket, 'secureConnect');
      const name = String(socket.getPeerCertificate().subject.CN);
      socket.destroy();
      return name;
    };
    assert.equal(await shown(), 'first');
    writeFileSync(pair.cert, later.cert);
    await served.clock.advanceAsync(1_000);
    assert.equal(await shown(), 'first');
    writeFileSync(pair.key, later.key);
    await served.clock.advanceAsync(1_000);
    assert.equal(await shown(), 'later');
    await served.close();
  });
});
