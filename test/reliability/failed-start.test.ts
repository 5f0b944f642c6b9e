import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { testCertificate } from '@orch/pki/x509/testing';
import { type EtcdCluster, startEtcd } from '@orch/storage/testing';
import { type LaunchOptions, launchServer, start, temporaryFolder } from '@orch/testkit';

const bin = join(import.meta.dirname, '..', '..', 'bin');

/** A program that has not ended by then is considered hung, and killed. */
const DEADLINE_MS = 90_000;

interface Outcome {
  readonly code: number | null;
  readonly err: string;
}

async function run(program: string, argv: readonly string[]): Promise<Outcome> {
  const child = spawn(join(bin, program), argv, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, err };
}

const issue = () => testCertificate({ commonName: 'c', use: 'server' });

/** The files and ports of a test. */
interface Place {
  /** Files below it cannot be created: it is itself a file. */
  readonly file: string;
  readonly missing: string;
  readonly cert: string;
  readonly otherKey: string;
  readonly rubbish: string;
  readonly takenPort: number;
}

type Failing = readonly [what: string, flags: (place: Place) => readonly string[], cause: RegExp];

const servers: readonly Failing[] = [
  ['the certificate folder cannot be written', ({ file }) => [`--cert-dir=${file}/certs`], /--cert-dir /],
  [
    'the serving certificate is missing',
    ({ missing, otherKey }) => [`--tls-cert-file=${missing}`, `--tls-private-key-file=${otherKey}`],
    /--tls-cert-file: ENOENT/,
  ],
  [
    'the serving key belongs to another certificate',
    ({ cert, otherKey }) => [`--tls-cert-file=${cert}`, `--tls-private-key-file=${otherKey}`],
    /--tls-private-key-file is not the key of --tls-cert-file/,
  ],
  ['the port is taken', ({ takenPort }) => [`--secure-port=${takenPort}`], /cannot serve on .*EADDRINUSE/],
  [
    'the ops port is taken',
    ({ takenPort }) => [`--ops-bind-address=127.0.0.1:${takenPort}`],
    /--ops-bind-address .*EADDRINUSE/,
  ],
  [
    'the token file is missing',
    ({ missing }) => [`--token-auth-file=${missing}`],
    /--token-auth-file: ENOENT/,
  ],
  [
    'the client authority is missing',
    ({ missing }) => [`--client-ca-file=${missing}`],
    /--client-ca-file: ENOENT/,
  ],
  ['the client authority is rubbish', ({ rubbish }) => [`--client-ca-file=${rubbish}`], /--client-ca-file/],
  [
    'the key for tokens is missing',
    ({ missing }) => [
      `--service-account-signing-key-file=${missing}`,
      `--service-account-key-file=${missing}`,
    ],
    /--service-account-(signing-)?key-file: ENOENT/,
  ],
  ['the audit log cannot be written', ({ file }) => [`--audit-log-path=${file}/log`], /--audit-log-path/],
  [
    'the configuration of an audit webhook is missing',
    ({ missing }) => ['--audit-log-path=-', `--audit-webhook-config-file=${missing}`],
    /--audit-webhook-config-file/,
  ],
  [
    'the client configuration of the administrator cannot be written',
    ({ file }) => [`--admin-config=${file}/admin.conf`],
    /--admin-config .* is a file and not a folder/,
  ],
  [
    'the client configuration of the controllers cannot be written',
    ({ file }) => [`--controller-manager-config=${file}/controllers.conf`],
    /--controller-manager-config .* is a file and not a folder/,
  ],
];

/** `orch-apiserver` with the embedded store is tested with every failure; the others share them, since the code is the same. */
const half = (rest: 0 | 1): readonly Failing[] => servers.filter((_, i) => i % 2 === rest);

/** Files that a server reads before it opens anything: one of these starts shows how the process ends. */
const isAboutInput = ([what]: Failing): boolean =>
  /^the (token file|client authority|key for tokens|serving key|configuration of an audit webhook) /.test(
    what,
  );

const embedded: readonly Failing[] = [
  ...servers.filter((failing) => !isAboutInput(failing)),
  ['the data folder cannot be written', ({ file }) => [`--data-dir=${file}/data`], /cannot open the store/],
];

const etcd: readonly Failing[] = [
  ...half(0),
  [
    'the authority of etcd is missing',
    ({ missing }) => [`--etcd-cafile=${missing}`],
    /--etcd-cafile: ENOENT/,
  ],
];

const managers: readonly Failing[] = [
  [
    'the client configuration is missing',
    ({ missing }) => [`--client-config=${missing}`],
    /--client-config .*no such file/,
  ],
  [
    'the client configuration is rubbish',
    ({ rubbish }) => [`--client-config=${rubbish}`],
    /--client-config /,
  ],
  [
    'the ops port is taken',
    ({ takenPort }) => [`--ops-bind-address=127.0.0.1:${takenPort}`],
    /--ops-bind-address .*EADDRINUSE/,
  ],
  [
    'the certificate of the signers is missing',
    ({ missing }) => [`--cluster-signing-cert-file=${missing}`, `--cluster-signing-key-file=${missing}`],
    /--cluster-signing-cert-file.*ENOENT/,
  ],
  [
    'the key of the signers belongs to another certificate',
    ({ cert, otherKey }) => [`--cluster-signing-cert-file=${cert}`, `--cluster-signing-key-file=${otherKey}`],
    /--cluster-signing-key-file/,
  ],
  [
    'the key for tokens is missing',
    ({ missing }) => [`--service-account-private-key-file=${missing}`],
    /--service-account-private-key-file.*ENOENT/,
  ],
];

describe('a start that fails', { timeout: 300_000 }, () => {
  const taken = createServer().listen(0, '127.0.0.1');
  let cluster: EtcdCluster;
  before(async () => {
    cluster = await startEtcd();
  });
  after(async () => {
    taken.close();
    await cluster[Symbol.asyncDispose]();
  });

  const serving = (path: string): string[] => [
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    `--cert-dir=${path}/certs`,
    `--admin-config=${path}/admin.conf`,
  ];
  const programs: readonly [
    name: string,
    program: 'orch-apiserver' | 'orch' | 'orch-controller-manager',
    table: readonly Failing[],
    argv: (path: string) => string[],
  ][] = [
    [
      'orch-apiserver (embedded store)',
      'orch-apiserver',
      embedded,
      (path) => [...serving(path), '--threads=1', `--data-dir=${path}/data`],
    ],
    // With the threads that a user has.
    ['orch up', 'orch', half(1).slice(0, 2), (path) => ['up', ...serving(path), `--data-dir=${path}/data`]],
    [
      'orch-controller-manager',
      'orch-controller-manager',
      managers,
      (path) => [`--client-config=${path}/away.conf`],
    ],
  ];

  for (const [name, program, table, argv] of programs)
    describe(name, { concurrency: 2 }, () => {
      for (const [what, flags, cause] of table)
        it(`${name} fails to start with its cause, exit status 1 and no leftover files when ${what}`, async () => {
          using folder = temporaryFolder();
          const { path } = folder;
          const outcome = await run(program, [...argv(path), ...flags(placeIn(path, taken))]);
          assert.equal(outcome.code, 1, outcome.err);
          const lines = outcome.err.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
          assert.equal(lines.length, 1, outcome.err);
          assert.match(lines[0] ?? '', new RegExp(`^${program}: `));
          assert.match(lines[0] ?? '', cause);
          assert.deepEqual(leftIn(path), []);
        });
    });

  /** How a program reports its error and ends is the same for every cause: these starts need no processes. */
  const hosted: readonly [string, readonly Failing[], (path: string) => LaunchOptions][] = [
    [
      'orch-apiserver (embedded store)',
      servers.filter(isAboutInput),
      (path) => ({ dataDir: join(path, 'data') }),
    ],
    [
      'orch-apiserver (etcd)',
      etcd,
      // Each start generates separate certificates, which is refused for replicas of one cluster.
      () => ({ etcd: cluster.endpoints, args: ['--separate-credentials'] }),
    ],
    ['orch up', half(1).slice(2), (path) => ({ program: 'orch', dataDir: join(path, 'data') })],
  ];

  for (const [name, table, optionsOf] of hosted)
    describe(`${name} in a host`, () => {
      for (const [what, flags, cause] of table)
        it(`${name} fails to start with its cause and no leftover files when ${what}`, async () => {
          using folder = temporaryFolder();
          const { path } = folder;
          const { args = [], ...options } = optionsOf(path);
          const certDir = join(path, 'certs');
          const failing = [...args, ...flags(placeIn(path, taken))];
          await assert.rejects(launchServer({ ...options, certDir, args: failing }), cause);
          assert.deepEqual(leftIn(path), []);
        });
    });

  it('a failed start does not prevent a later start with the same folders and port', async () => {
    using folder = temporaryFolder();
    const { path } = folder;
    const argv = [...serving(path), `--data-dir=${path}/data`];
    const failed = await run('orch-apiserver', [...argv, `--token-auth-file=${path}/missing`]);
    assert.equal(failed.code, 1, failed.err);
    await using server = start(join(bin, 'orch-apiserver'), argv);
    await server.waitFor(/serving on/, DEADLINE_MS);
  });
});

function placeIn(path: string, taken: ReturnType<typeof createServer>): Place {
  const put = (name: string, content: string): string => {
    writeFileSync(join(path, name), content);
    return join(path, name);
  };
  const address = taken.address();
  put('away.conf', awayConfig);
  return {
    file: put('file', ''),
    missing: join(path, 'missing'),
    cert: put('tls.crt', issue().cert),
    otherKey: put('other.key', issue().key),
    rubbish: put('rubbish', '{{{'),
    takenPort: typeof address === 'object' && address !== null ? address.port : 0,
  };
}

/** A client configuration for a server that does not run. */
const awayConfig = JSON.stringify({
  'current-context': 'c',
  contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
  clusters: [{ name: 'k', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'u', user: { token: 't' } }],
});

/** Sockets and half-written files. Files that the kernel locks stay: they hold no lock once the process is gone. */
function leftIn(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isSocket() || /\.[0-9a-f]{8}-[0-9a-f-]{27}$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
