import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { after, before, describe, it } from 'node:test';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import {
  alwaysAllow,
  clientCertificateAuthenticator,
  readTokenFile,
  tokenFileAuthenticator,
  unionAuthenticator,
} from '@orch/auth';
import { type Listener, listen } from '@orch/http';
import { namesFor } from '@orch/machinery';
import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { durationMs } from '@orch/machinery/time';
import { createServer } from '@orch/pipeline';
import type { CertificateContent, KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';

const HOUR = 3_600_000;
const start = Date.now();
const issue = (request: Partial<CertificateContent>, issuer?: KeyPair): KeyPair =>
  testCertificate({ commonName: 'mallory', use: 'client', ...request }, issuer);

const servingCa = issue({ commonName: 'serving-ca', use: 'authority' });
const serving = issue({ commonName: 'api', use: 'server', hosts: ['localhost', '127.0.0.1'] }, servingCa);
const clientCa = issue({ commonName: 'client-ca', use: 'authority' });
const otherCa = issue({ commonName: 'client-ca', use: 'authority' });
const user = issue({ commonName: 'alice', organizations: ['dev'] }, clientCa);
const none: KeyPair | undefined = undefined;

describe('credentials of an attacker', { timeout: 30_000 }, () => {
  let now = start;
  let listener: Listener;
  let close = (): void => undefined;
  before(async () => {
    const names = namesFor('orch');
    const env = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: createMetrics() };
    const implicitGroup = names.userGroups.authenticated;
    const server = createServer({
      env,
      names,
      authenticator: unionAuthenticator([
        clientCertificateAuthenticator({ now: () => now, implicitGroup }),
        tokenFileAuthenticator(readTokenFile('secret,bob,1', implicitGroup)),
      ]),
      authorizer: alwaysAllow,
      resources: ({ user: { name } }) => ({
        kind: 'bytes',
        status: 200,
        headers: {},
        body: Buffer.from(name),
      }),
      servesResource: () => true,
      routes: [],
      apiPaths: () => [],
      requestTimeoutMs: 60_000,
      maxRequestsInflight: 0,
      maxMutatingRequestsInflight: 0,
      parseDuration: durationMs,
    });
    close = server.close;
    const tls = { key: serving.key, cert: serving.cert, clientCa: [clientCa.cert] };
    listener = await listen({ env, server, host: '127.0.0.1', port: 0, tls });
  });
  after(async () => {
    await listener.drain(AbortSignal.abort());
    close();
  });

  async function sendRequest(identity: KeyPair | undefined, headers: Record<string, string | string[]> = {}) {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const { port } = listener;
      const options = { host: '127.0.0.1', port, path: '/api/v1/nodes', agent: false as const };
      request({ ...options, ca: servingCa.cert, ...identity, headers }, resolve)
        .on('error', reject)
        .end();
    });
    let text = '';
    for await (const part of response) text += String(part);
    return response.statusCode === 200 ? text : String(response.statusCode);
  }

  const withChain = (leaf: KeyPair, ...chain: readonly KeyPair[]): KeyPair => ({
    key: leaf.key,
    cert: [leaf, ...chain].map(({ cert }) => cert).join(''),
  });
  const intermediate = issue({ commonName: 'intermediate', use: 'authority' }, clientCa);

  for (const [what, identity, answer] of [
    ['no certificate', none, '401'],
    ['a certificate of the client authority', user, 'alice'],
    ['a certificate of an authority below it', withChain(issue({}, intermediate), intermediate), 'mallory'],
    ['a certificate of an authority with the same name', issue({ commonName: 'alice' }, otherCa), '401'],
    ['a certificate that signs itself', issue({ commonName: 'alice' }), '401'],
    ['a certificate of the authority for servers', issue({ commonName: 'alice' }, servingCa), '401'],
    ['a certificate for servers', issue({ commonName: 'alice', use: 'server' }, clientCa), '401'],
    [
      'a certificate signed with that of a client',
      withChain(issue({ commonName: 'root' }, user), user),
      '401',
    ],
    ['a certificate that has expired', issue({ notAfter: start - 1000 }, clientCa), '401'],
    ['a certificate that is not valid yet', issue({ notBefore: start + HOUR / 2 }, clientCa), '401'],
    ['a certificate without a name', issue({ commonName: '' }, clientCa), '401'],
    [
      'a name that looks like an attribute',
      issue({ commonName: 'x/O=system:masters' }, clientCa),
      'x/O=system:masters',
    ],
  ] as const) {
    it(`a request with ${what} is answered with ${answer}`, async () =>
      assert.equal(await sendRequest(identity), answer));
  }

  for (const [header, answer] of [
    ['Bearer secret', 'bob'],
    ['bearer secret', 'bob'],
    ['Bearer secre', '401'],
    ['Bearer secrets', '401'],
    ['Bearer secret secret', '401'],
    ['Bearer secret, Bearer secret', '401'],
    ['Bearer', '401'],
    ['Bearer ', '401'],
    ['Bearersecret', '401'],
    ['Bearer\tsecret', '401'],
    ['Basic c2VjcmV0OnNlY3JldA==', '401'],
    ['secret', '401'],
    ['Bearer __proto__', '401'],
    [`Bearer ${'x'.repeat(8000)}`, '401'],
  ] as const) {
    it(`Authorization: ${header.slice(0, 40)} is ${answer}`, async () => {
      assert.equal(await sendRequest(none, { authorization: header }), answer);
    });
  }

  /** Opens a connection, sends one request and waits for its whole answer. */
  async function connection(options: ConnectionOptions) {
    const socket = await new Promise<TLSSocket>((resolve, reject) => {
      const opened = connect({ host: '127.0.0.1', port: listener.port, ca: servingCa.cert, ...options });
      opened.once('secureConnect', () => resolve(opened)).once('error', reject);
    });
    socket.setEncoding('latin1');
    const get = async (fields = ''): Promise<string> => {
      socket.write(`GET /api/v1/nodes HTTP/1.1\r\nHost: a\r\n${fields}\r\n`);
      const text = await new Promise<string>((resolve) => socket.once('data', resolve));
      return text.startsWith('HTTP/1.1 200') ? (text.split('\r\n\r\n')[1] ?? '') : text.slice(9, 12);
    };
    return { socket, get };
  }

  it('a certificate that expires during its connection is rejected', async () => {
    const { socket, get } = await connection(user);
    assert.equal(await get(), 'alice');
    now = start + 2 * HOUR;
    assert.equal(await get(), '401');
    now = start;
    socket.destroy();
  });

  it('a connection does not authenticate a token by another one', async () => {
    const { socket, get } = await connection({});
    const answers: string[] = [];
    for (const token of ['secret', 'other', 'secret', ''])
      answers.push(await get(`Authorization: Bearer ${token}\r\n`));
    answers.push(await get());
    assert.deepEqual(answers, ['bob', '401', 'bob', '401', '401']);
    socket.destroy();
  });

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`a resumed ${version} session does not make an invalid certificate valid`, async () => {
      const stranger = issue({ commonName: 'alice' }, otherCa);
      const limits = { minVersion: version, maxVersion: version } as const;
      const first = await connection({ ...stranger, ...limits });
      let session: Buffer | undefined;
      first.socket.on('session', (ticket: Buffer) => {
        session = ticket;
      });
      assert.equal(await first.get(), '401');
      session ??= first.socket.getSession();
      first.socket.destroy();
      assert.ok(session);
      for (const identity of [{}, stranger]) {
        const again = await connection({ ...identity, ...limits, session });
        assert.equal(await again.get(), '401');
        again.socket.destroy();
      }
    });
  }

  it('protocols before TLS 1.2 are refused', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const;
    await assert.rejects(connection(old), /SSL|protocol|ECONNRESET|handshake/i);
  });

  it('a client cannot renegotiate', async () => {
    const { socket, get } = await connection({ ...user, maxVersion: 'TLSv1.2' });
    assert.equal(await get(), 'alice');
    const ended = new Promise<boolean>((resolve) => {
      socket.on('error', () => resolve(true)).on('close', () => resolve(true));
      socket.renegotiate({}, (error) => resolve(error !== null));
    });
    assert.equal(await ended, true);
    socket.destroy();
  });
});
