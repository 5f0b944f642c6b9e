import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { connect, type SecureVersion, type TLSSocket } from 'node:tls';
import { poll } from '@orch/machinery/testing';
import { type LaunchedServer, launchServer, launchServerProcess, temporaryFolder } from '@orch/testkit';

const DEADLINE_MS = 60_000;

const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());

const fileOf = (name: string, bytes: number): string => {
  const path = join(folder.path, name);
  writeFileSync(path, randomBytes(bytes));
  return path;
};

interface Visit {
  readonly isResumed: boolean;
  /** Status of the response to a request that needs the administrator. */
  readonly status: number;
  readonly session: Buffer;
}

/** Opens a connection as the administrator, or with a session in place of the certificate. */
function visit(server: LaunchedServer, session?: Buffer, maxVersion?: SecureVersion): Promise<Visit> {
  const { cert, key } = server.config;
  const identity = session === undefined ? { cert: String(cert), key: String(key) } : { session };
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({
      ...{ host: '127.0.0.1', port: server.port, servername: 'localhost', rejectUnauthorized: false },
      ...identity,
      ...(maxVersion !== undefined && { maxVersion }),
    });
    let text = '';
    let latest = session;
    const finish = (): void => {
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
      if (status === undefined || latest === undefined) return;
      resolve({ isResumed: socket.isSessionReused(), status: Number(status), session: latest });
      socket.destroy();
    };
    socket.on('error', reject).on('session', (given: Buffer) => {
      latest = given;
      finish();
    });
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1');
      finish();
    });
    socket.write('GET /api/v1/secrets HTTP/1.1\r\nHost: localhost\r\n\r\n');
  });
}

describe('session tickets', { timeout: 180_000 }, () => {
  it('a replica resumes the session of another one with the same key file, until the file changes', async () => {
    const certDir = join(folder.path, 'certs');
    const path = fileOf('shared', 32);
    const launch = () => launchServer({ certDir, args: [`--tls-session-ticket-key-file=${path}`] });
    await using first = await launch();
    await using second = await launch();
    const { session } = await visit(first);
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const { session: own, ...opened } = await visit(first, undefined, version);
      assert.deepEqual(opened, { isResumed: false, status: 200 }, version);
      const { session: _, ...resumed } = await visit(second, own, version);
      assert.deepEqual(
        resumed,
        { isResumed: true, status: 200 },
        `the client is the administrator, ${version}`,
      );
    }
    writeFileSync(path, randomBytes(31));
    await second.waitFor(/must contain at least 32 random bytes/, DEADLINE_MS);
    assert.ok((await visit(second, session)).isResumed, 'a file that cannot be used changes nothing');
    writeFileSync(path, randomBytes(48));
    const refused = await poll('the new keys are used', DEADLINE_MS, async () => {
      const { isResumed, status } = await visit(second, session);
      return isResumed ? undefined : { status };
    });
    assert.deepEqual(refused, { status: 401 }, 'without the session the client has no certificate');
  });

  it('replicas without a shared file, or with other authorities of clients, do not resume a session', async () => {
    const path = fileOf('same', 64);
    await using first = await launchServer({ args: [`--tls-session-ticket-key-file=${path}`] });
    const { session } = await visit(first);
    await using stranger = await launchServer({ args: [`--tls-session-ticket-key-file=${path}`] });
    assert.deepEqual(await outcome(stranger, session), [false, 401], 'another authority');
    const certDir = join(folder.path, 'own-keys');
    await using own = await launchServer({ certDir });
    await using other = await launchServer({ certDir });
    assert.deepEqual(await outcome(other, (await visit(own)).session), [false, 401], 'own keys');
  });

  it('every thread of a process resumes the sessions of the others', async () => {
    await using server = await launchServerProcess({ threads: 3 });
    const { session } = await visit(server);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(server, session)));
    assert.deepEqual(
      outcomes,
      Array.from({ length: 20 }, () => [true, 200]),
    );
  });

  it('a key file that is too short ends the start', async () => {
    const path = fileOf('short', 31);
    await assert.rejects(
      launchServerProcess({ args: [`--tls-session-ticket-key-file=${path}`] }),
      /--tls-session-ticket-key-file .*short: must contain at least 32 random bytes/,
    );
    assert.equal(readFileSync(path).length, 31);
  });
});

const outcome = async (server: LaunchedServer, session: Buffer): Promise<readonly [boolean, number]> => {
  const { isResumed, status } = await visit(server, session);
  return [isResumed, status];
};
