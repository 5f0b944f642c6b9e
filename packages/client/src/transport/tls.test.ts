import assert from 'node:assert/strict';
import type { ServerHttp2Stream } from 'node:http2';
import { describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { FakeClock, until } from '@orch/machinery/testing';
import type { Identity } from '../credentials/types.ts';
import { clients, serving } from './testing/certificates.ts';
import {
  fetchText,
  get,
  http1TlsPeer,
  http2Peer,
  settingsFor,
  soon,
  textOf,
  transportTo,
  Wallet,
} from './testing/peers.ts';

describe('server certificates', () => {
  for (const [what, settings, problem] of [
    ['of a known authority, for the host', {}, undefined],
    ['of an unknown authority', { ca: clients.one.cert }, /self-signed certificate/],
    ['checked against the authorities of the system', { ca: undefined }, /self-signed certificate/],
    ['for the configured server name instead of the host', { tlsServerName: 'api.test' }, undefined],
    [
      'for another name',
      { tlsServerName: 'other.test' },
      /does not match certificate's altnames|other\.test/,
    ],
    ['not checked at all', { ca: undefined, insecureSkipTlsVerify: true }, undefined],
  ] as const) {
    it(`a server certificate ${what} is ${problem === undefined ? 'accepted' : 'rejected'}`, async () => {
      await using peer = await http2Peer((stream) =>
        stream.end(String((stream.session?.socket as TLSSocket | undefined)?.servername)),
      );
      const { ca, ...rest } = { ca: serving.cert as string | undefined, ...settings };
      const { ca: _, ...plain } = settingsFor(peer.url);
      await using transport = transportTo({ ...plain, ...rest, ...(ca === undefined ? {} : { ca }) });
      const answer = fetchText(transport, get('/'));
      if (problem === undefined)
        assert.equal(await answer, 'tlsServerName' in settings ? settings.tlsServerName : 'false');
      else await assert.rejects(answer, { name: 'TransportError', outcome: 'notSent', message: problem });
    });
  }
});

const as = (tls: Identity['tls']): Identity => ({ headers: {}, ...(tls === undefined ? {} : { tls }) });
const nameOf = (socket: unknown): string => String((socket as TLSSocket).getPeerCertificate().subject?.CN);

describe('client certificates', () => {
  it('a client certificate is sent over HTTP/2 and over HTTP/1.1', async () => {
    const options = { requestCert: true, rejectUnauthorized: false };
    await using second = await http2Peer((stream) => stream.end(nameOf(stream.session?.socket)), options);
    await using first = await http1TlsPeer(
      (request, response) => response.end(nameOf(request.socket)),
      options,
    );
    for (const { url } of [second, first]) {
      await using transport = transportTo(settingsFor(url, { credentials: new Wallet(as(clients.one)) }));
      assert.equal(await fetchText(transport, get('/')), 'one');
    }
  });

  it('a changed client certificate opens a new connection, and current requests complete or are aborted later', async () => {
    const clock = new FakeClock();
    const held: ServerHttp2Stream[] = [];
    await using peer = await http2Peer(
      (stream, headers) => {
        if (headers[':path'] === '/') stream.end(nameOf(stream.session?.socket));
        else {
          stream.respond({ ':status': 200 });
          held.push(stream);
        }
      },
      { requestCert: true, rejectUnauthorized: false },
    );
    const credentials = new Wallet(as(clients.one));
    await using transport = transportTo(settingsFor(peer.url, { credentials }), { clock });
    assert.equal(await fetchText(transport, get('/')), 'one');
    const ending = textOf(await transport.send(get('/ending'), soon()));
    const watching = textOf(await transport.send(get('/watch'), soon()));
    await until(() => held.length === 2);
    credentials.change(as(clients.two));
    assert.equal(await fetchText(transport, get('/')), 'two');
    assert.equal(peer.sessions.size, 2);
    held[0]?.end('whole');
    assert.equal(await ending, 'whole');
    await clock.advanceAsync(9_999);
    assert.equal(peer.sessions.size, 2);
    const cut = assert.rejects(watching, {
      name: 'TransportError',
      message: /client certificate has changed/,
    });
    await clock.advanceAsync(1);
    await cut;
    await until(() => peer.sessions.size === 1);
    assert.equal(await fetchText(transport, get('/')), 'two');
    assert.equal(peer.connections, 2);
  });

  it('a changed client certificate closes an idle connection at once', async () => {
    await using peer = await http2Peer((stream) => stream.end(nameOf(stream.session?.socket)), {
      requestCert: true,
      rejectUnauthorized: false,
    });
    const credentials = new Wallet(as(clients.one));
    await using transport = transportTo(settingsFor(peer.url, { credentials }));
    assert.equal(await fetchText(transport, get('/')), 'one');
    credentials.change(as(clients.two));
    await until(() => peer.sessions.size === 0);
    assert.equal(await fetchText(transport, get('/')), 'two');
  });

  it('an unreadable client certificate fails the request only', async () => {
    await using peer = await http2Peer((stream) => stream.end('ok'));
    const broken = { cert: 'no certificate', key: 'secret key' };
    const credentials = new Wallet(as(broken));
    await using transport = transportTo(settingsFor(peer.url, { credentials }));
    await assert.rejects(transport.send(get('/'), soon()), (error: Error) => {
      assert.match(error.message, /cannot connect/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
    credentials.change(as(clients.one));
    assert.equal(await fetchText(transport, get('/')), 'ok');
  });
});
