import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { encodeYaml, namesFor } from '@orch/machinery';
import { FakeClock, settle } from '@orch/machinery/testing';
import { clients, serving } from '../transport/testing/certificates.ts';
import { fetchText, get, http2Peer, transportTo } from '../transport/testing/peers.ts';
import { loadClientConfig } from './client-config.ts';
import { besideFile } from './file-pem.ts';
import { Members } from './members.ts';
import { files } from './testing/files.ts';

const fileFor = (server: string, user: object): string =>
  encodeYaml({
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'one', user: 'ann' } }],
    clusters: [{ name: 'one', cluster: { server, 'certificate-authority': 'ca.crt' } }],
    users: [{ name: 'ann', user }],
  }).toString();

const load = (path: string, clock: FakeClock) =>
  loadClientConfig({ env: { clock }, names: namesFor('orch'), files: [path], environment: {} });

describe('a connection of a client configuration file', () => {
  it('follows the files of its user: another token is tried at once, another certificate takes a new connection', async () => {
    let accepted = 'one';
    await using peer = await http2Peer(
      (stream, { authorization }) => {
        const socket = stream.session?.socket as TLSSocket;
        stream.respond({ ':status': authorization === `Bearer ${accepted}` ? 200 : 401 });
        stream.end(`${socket.getPeerCertificate().subject?.CN} ${authorization}`);
      },
      { requestCert: true, rejectUnauthorized: false },
    );
    using folder = files({
      'ca.crt': serving.cert,
      'ann.crt': clients.one.cert,
      'ann.key': clients.one.key,
      token: 'one',
      config: fileFor(peer.url, {
        tokenFile: 'token',
        'client-certificate': 'ann.crt',
        'client-key': 'ann.key',
      }),
    });
    const clock = new FakeClock();
    await using transport = transportTo(await load(folder.path('config'), clock), { clock });
    assert.equal(await fetchText(transport, get('/')), 'one Bearer one');
    folder.write('token', 'two');
    accepted = 'two';
    assert.equal(await fetchText(transport, get('/')), 'one Bearer two');
    assert.equal(peer.connections, 1);
    folder.write('ann.crt', clients.two.cert);
    folder.write('ann.key', clients.two.key);
    await clock.advanceAsync(10_000);
    assert.equal(await fetchText(transport, get('/')), 'two Bearer two');
    assert.equal(peer.connections, 2);
  });

  it('says in whose name requests are made, in UTF-8', async () => {
    await using peer = await http2Peer((stream, headers) => {
      const said = [headers['impersonate-user'], headers['impersonate-group']].flat();
      stream.end(said.map((one) => Buffer.from(String(one), 'latin1').toString()).join('|'));
    });
    using folder = files({
      'ca.crt': serving.cert,
      config: fileFor(peer.url, { as: 'jörg', 'as-groups': ['größe', 'b'] }),
    });
    const clock = new FakeClock();
    await using transport = transportTo(await load(folder.path('config'), clock), { clock });
    assert.equal(await fetchText(transport, get('/')), 'jörg|größe, b');
  });
});

describe('paths in a client configuration file', () => {
  for (const [file, path, absolute] of [
    ['config', './plugin', join(process.cwd(), 'plugin')],
    ['config', 'pki/ca.crt', join(process.cwd(), 'pki/ca.crt')],
    ['sub/config', '../ca.crt', join(process.cwd(), 'ca.crt')],
    ['/etc/x/config', 'ca.crt', '/etc/x/ca.crt'],
    ['/etc/x/config', '/ca.crt', '/ca.crt'],
  ] as const) {
    it(`are absolute, whatever that of the file is: ${path} in ${file}`, () => {
      assert.equal(besideFile(new Members({}, { file, path: '' }), path), absolute);
    });
  }

  it('are found when the file is named from the folder of the process', async () => {
    using folder = files({
      'ca.crt': serving.cert,
      token: 'abc',
      config: fileFor('https://one.test', { tokenFile: './token' }),
    });
    const { credentials } = await load(relative(process.cwd(), folder.path('config')), new FakeClock());
    const { headers } = await credentials.current(new AbortController().signal);
    assert.deepEqual(headers, { authorization: 'Bearer abc' });
  });
});

describe('a pipe', { timeout: 20_000 }, () => {
  it('can be a client configuration file', async () => {
    using folder = files({ 'ca.crt': serving.cert });
    const pipe = folder.path('pipe');
    execFileSync('mkfifo', [pipe]);
    const loaded = load(pipe, new FakeClock());
    // Opening it for writing waits for a reader.
    await writeFile(pipe, fileFor('https://one.test', {}));
    assert.equal((await loaded).server, 'https://one.test');
  });

  it('that nobody writes to is waited for no longer than ten seconds', async () => {
    using folder = files();
    const pipe = folder.path('pipe');
    execFileSync('mkfifo', [pipe]);
    const clock = new FakeClock();
    const refused = assert.rejects(load(pipe, clock), {
      name: 'ConfigError',
      message: `${pipe}: cannot be read: deadline exceeded after 10000 ms`,
    });
    await settle();
    await clock.advanceAsync(10_000);
    await refused;
    // Lets the thread go that is still opening it.
    closeSync(openSync(pipe, 'r+'));
  });

  it('is no token: nothing waits for it', async () => {
    using folder = files({ 'ca.crt': serving.cert });
    execFileSync('mkfifo', [folder.path('pipe')]);
    const path = folder.write('config', fileFor('https://one.test', { tokenFile: 'pipe' }));
    await assert.rejects(load(path, new FakeClock()), {
      message: /users\[0\]\.user\.tokenFile: cannot be read: .* is no regular file$/,
    });
  });
});
