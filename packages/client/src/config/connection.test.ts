import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { namesFor } from '@orch/machinery';
import { FakeClock, settle } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import { clients, serving } from '../transport/testing/certificates.ts';
import { fetchText, get, http2Peer, transportTo } from '../transport/testing/peers.ts';
import { loadClientConfig } from './client-config.ts';
import { readConfigFiles } from './config-files.ts';
import { Fields } from './fields.ts';
import { besideFile } from './file-pem.ts';
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

describe('connections of client configuration files', () => {
  it('a changed token file applies to the next request, and a changed certificate file opens a new connection', async () => {
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

  it('requests impersonate the user of the configuration, in UTF-8', async () => {
    await using peer = await http2Peer((stream, headers) => {
      const sent = [headers['impersonate-user'], headers['impersonate-group']].flat();
      stream.end(sent.map((one) => Buffer.from(String(one), 'latin1').toString()).join('|'));
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

describe('paths in client configuration files', () => {
  for (const [file, path, absolute] of [
    ['config', './plugin', join(process.cwd(), 'plugin')],
    ['config', 'pki/ca.crt', join(process.cwd(), 'pki/ca.crt')],
    ['sub/config', '../ca.crt', join(process.cwd(), 'ca.crt')],
    ['/etc/x/config', 'ca.crt', '/etc/x/ca.crt'],
    ['/etc/x/config', '/ca.crt', '/ca.crt'],
  ] as const) {
    it(`the path ${path} in ${file} becomes absolute`, () => {
      assert.equal(besideFile(new Fields({}, { file, path: '' }), path), absolute);
    });
  }

  it('files next to a configuration file with a relative path are found', async () => {
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

describe('named pipes', { timeout: 20_000 }, () => {
  it('a named pipe can be a client configuration file', async () => {
    using folder = files({ 'ca.crt': serving.cert });
    const pipe = folder.path('pipe');
    execFileSync('mkfifo', [pipe]);
    const loaded = load(pipe, new FakeClock());
    // Opening it for writing waits for a reader.
    await writeFile(pipe, fileFor('https://one.test', {}));
    assert.equal((await loaded).server, 'https://one.test');
  });

  it('a named pipe is read to its end when its writer pauses', async () => {
    using folder = files({ 'ca.crt': serving.cert });
    const pipe = folder.path('pipe');
    execFileSync('mkfifo', [pipe]);
    const loaded = load(pipe, new FakeClock());
    const writer = await open(pipe, 'w');
    const text = fileFor('https://one.test', {});
    await writer.write(text.slice(0, 20));
    await sleep(50);
    await writer.write(text.slice(20));
    await writer.close();
    assert.equal((await loaded).server, 'https://one.test');
  });

  it('a device that is empty is read as an empty file', async () => {
    const { entries } = await readConfigFiles(['/dev/null'], new FakeClock());
    assert.equal(entries.contexts.size, 0);
  });

  it('a named pipe without a writer is waited for at most ten seconds', async () => {
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
  });

  it('a process ends after it has waited for a named pipe without a writer', async () => {
    using folder = files();
    execFileSync('mkfifo', [folder.path('pipe')]);
    const module = (path: string): string => JSON.stringify(join(import.meta.dirname, path));
    const source = `import { FakeClock } from ${JSON.stringify(import.meta.resolve('@orch/machinery/testing'))};
      import { readConfigFile } from ${module('../files/small-file.ts')};
      const clock = new FakeClock();
      const read = readConfigFile(process.argv[1], clock).catch(({ message }) => console.log(message));
      await clock.advanceAsync(10_000);
      await read;
      process.exit();`;
    const args = ['--input-type=module', '--eval', source, folder.path('pipe')];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      timeout: 15_000,
      killSignal: 'SIGKILL',
    });
    assert.equal(stdout, 'deadline exceeded after 10000 ms\n');
  });

  it('a named pipe is rejected as a token file without waiting', async () => {
    using folder = files({ 'ca.crt': serving.cert });
    execFileSync('mkfifo', [folder.path('pipe')]);
    const path = folder.write('config', fileFor('https://one.test', { tokenFile: 'pipe' }));
    await assert.rejects(load(path, new FakeClock()), {
      message: /users\[0\]\.user\.tokenFile: cannot be read: .* is not a regular file$/,
    });
  });
});
