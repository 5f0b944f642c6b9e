import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { seededRandom } from '@orch/machinery/testing';
import { type RunningProcess, start, temporaryFolder } from '@orch/testkit';

const program = join(import.meta.dirname, '..', '..', 'bin', 'orch-apiserver');
const READY = /serving on https:\/\/127\.0\.0\.1:(\d+)/;
const READY_MS = 60_000;
/** A start on an idle machine has made its certificates by then. */
const KILL_WITHIN_MS = 800;

/** A server with a separate store, and certificates in a folder that others may share. */
const startIn = (folder: string, name: string): RunningProcess =>
  start(program, [
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    `--cert-dir=${join(folder, 'certs')}`,
    `--data-dir=${join(folder, name)}`,
    `--admin-config=${join(folder, name)}.conf`,
  ]);

async function fingerprintOf(server: RunningProcess): Promise<string> {
  const [, port] = await server.waitFor(READY, READY_MS);
  const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(folder, 'certs')).map((name) => [
      name,
      readFileSync(join(folder, 'certs', name), 'utf8'),
    ]),
  );

describe('servers that share a certificate folder', { timeout: 240_000 }, () => {
  it('servers that share a certificate folder and start at the same time serve with the same certificates', async () => {
    using folder = temporaryFolder();
    await using stack = new AsyncDisposableStack();
    const servers = Array.from({ length: 6 }, (_, i) => stack.use(startIn(folder.path, `s${i}`)));
    const fingerprints = await Promise.all(servers.map(fingerprintOf));
    assert.equal(new Set(fingerprints).size, 1);
    const files = filesOf(folder.path);
    await using later = startIn(folder.path, 'later');
    assert.equal(await fingerprintOf(later), fingerprints[0]);
    assert.deepEqual(filesOf(folder.path), files);
  });

  it('servers start without delay when a stale lock file exists in the certificate folder, also with a time in the future', async () => {
    using folder = temporaryFolder();
    {
      await using first = startIn(folder.path, 'first');
      await fingerprintOf(first);
    }
    const lock = join(folder.path, 'certs', '.lock');
    writeFileSync(lock, '');
    const future = Date.now() / 1000 + 1e6;
    utimesSync(lock, future, future);
    await using second = startIn(folder.path, 'second');
    await fingerprintOf(second);
    assert.doesNotMatch(second.output(), /waiting for another process/);
  });

  it('servers that start after others were killed at any moment of their start agree on the certificates', async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
    console.log(`SEED=${seed}`);
    const random = seededRandom(seed);
    using folder = temporaryFolder();
    for (let round = 0; round < 6; round++) {
      await using killed = startIn(folder.path, 'killed');
      await once(killed.child, 'spawn');
      await pause(random.int(KILL_WITHIN_MS));
    }
    await using one = startIn(folder.path, 'one');
    await using other = startIn(folder.path, 'other');
    assert.equal(await fingerprintOf(one), await fingerprintOf(other));
    assert.doesNotMatch(one.output() + other.output(), /waiting for another process/);
  });
});
