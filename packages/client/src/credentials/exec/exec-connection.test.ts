import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { namesFor } from '@orch/machinery';
import { until } from '@orch/machinery/testing';
import { clients } from '../../transport/testing/certificates.ts';
import { fetchText, get, http2Peer, settingsFor, transportTo } from '../../transport/testing/peers.ts';
import { execCredentials } from './exec-credentials.ts';
import { contextWith, plugins } from './testing/plugins.ts';

const names = namesFor('orch');
const pair = (field: 'one' | 'two') => ({
  clientCertificateData: clients[field].cert,
  clientKeyData: clients[field].key,
});
/** A plugin that returns one status after another. */
const answering = (statuses: readonly object[]): string => `answer(${JSON.stringify(statuses)}[run - 1]);`;

describe('requests with exec plugins', () => {
  it('a request with a 401 response is retried once with the credentials of the next run', async () => {
    using held = plugins(names);
    await using peer = await http2Peer((stream, { authorization }) => {
      stream.respond({ ':status': authorization === 'Bearer t2' ? 200 : 401 });
      stream.end(String(authorization));
    });
    const config = held.config(answering([{ token: 't1' }, { token: 't2' }]));
    const credentials = execCredentials(config, contextWith(names));
    await using transport = transportTo(settingsFor(peer.url, { credentials }));
    const all = await Promise.all([1, 2, 3].map(() => fetchText(transport, get('/'))));
    assert.deepEqual(all, ['Bearer t2', 'Bearer t2', 'Bearer t2']);
    assert.equal(held.runs(), 2);
  });

  it('another certificate of a plugin opens a new connection and closes the old one', async () => {
    using held = plugins(names);
    let refused = '';
    await using peer = await http2Peer(
      (stream) => {
        const name = String(
          (stream.session?.socket as TLSSocket | undefined)?.getPeerCertificate().subject?.CN,
        );
        stream.respond({ ':status': name === refused ? 401 : 200 });
        stream.end(name);
      },
      { requestCert: true, rejectUnauthorized: false },
    );
    const config = held.config(answering([pair('one'), pair('one'), pair('two')]));
    const credentials = execCredentials(config, contextWith(names));
    await using transport = transportTo(settingsFor(peer.url, { credentials }));
    assert.equal(await fetchText(transport, get('/')), 'one');
    refused = 'one';
    // The second run returns the same certificate: the connection stays open, and the response is the same refusal.
    assert.equal(await fetchText(transport, get('/')), 'one');
    assert.equal(peer.connections, 1);
    assert.equal(await fetchText(transport, get('/')), 'two');
    await until(() => peer.sessions.size === 1);
    assert.deepEqual([peer.connections, held.runs()], [2, 3]);
  });
});
