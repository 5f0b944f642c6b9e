import { equal, match, notEqual, rejects } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { Lease } from './lease.ts';
import { ServerHosts } from './pool.ts';

/** A host whose servers do what their first argument says; the port in the address is the number of the process. */
const program = `
const send = (report) => process.send({ report, cpuSeconds: 1.5 });
const url = 'https://127.0.0.1:' + process.pid;
process.on('message', ({ server, argv: [way] = [], stop }) => {
  if (stop === true) send({ server, error: '' });
  else if (way === 'serve') send({ server, url });
  else if (way === 'refuse') send({ server, error: 'the flag --x is wrong' });
  else {
    process.stderr.write('out of luck');
    process.exit(3);
  }
});
process.on('disconnect', () => process.exit());
`;

const way = (name: string) => ({ program: 'orch-apiserver', argv: [name], output: '/dev/null' }) as const;

describe('server hosts', { timeout: 60_000 }, () => {
  const folder = temporaryFolder();
  let hosts: ServerHosts;
  before(() => {
    writeFileSync(join(folder.path, 'host.mjs'), program);
    hosts = new ServerHosts(join(folder.path, 'host.mjs'));
  });
  after(() => {
    hosts[Symbol.dispose]();
    folder[Symbol.dispose]();
  });

  it('the servers of a test process run in one host, and those of another process at the same time do not', async () => {
    using mine = new Lease(hosts.path);
    using other = new Lease(hosts.path);
    await using first = await mine.start(way('serve'));
    await using second = await mine.start(way('serve'));
    await using third = await other.start(way('serve'));
    equal(first.url, second.url);
    notEqual(first.url, third.url);
  });

  it('a server that cannot start rejects with its error, and the host starts others', async () => {
    using lease = new Lease(hosts.path);
    await rejects(lease.start(way('refuse')), /the flag --x is wrong/);
    await using server = await lease.start(way('serve'));
    match(server.url, /^https:/);
  });

  it('the end of a host rejects with its output, and the next test process gets another host', async () => {
    {
      using lease = new Lease(hosts.path);
      await rejects(lease.start(way('crash')), /the server host ended: .*out of luck/);
      await rejects(lease.start(way('serve')), /the server host ended/);
    }
    using lease = new Lease(hosts.path);
    await using server = await lease.start(way('serve'));
    match(server.url, /^https:/);
  });

  it('the CPU time of hosts is known, also of those that have ended', async () => {
    using pool = new ServerHosts(join(folder.path, 'host.mjs'));
    using lease = new Lease(pool.path);
    await using _server = await lease.start(way('serve'));
    equal(pool.cpuSeconds, 1.5);
    await rejects(lease.start(way('crash')), /out of luck/);
    equal(pool.cpuSeconds, 1.5);
  });
});
