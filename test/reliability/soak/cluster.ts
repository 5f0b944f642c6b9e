import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesFor, type Random } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { type EtcdCluster, freePorts, startEtcd } from '@orch/storage/testing';
import { ApiClient, type ClientConfig, type RequestOptions, readClientConfig } from '@orch/testkit';
import { Supervised } from '../cluster/supervised.ts';
import { ProgramClock } from './clocks.ts';
import { SmallDisk } from './small-disk.ts';

const bin = join(import.meta.dirname, '..', '..', '..', 'bin');
const SERVERS = 3;
const START_MS = 120_000;
const REQUEST_MS = 5000;
/** The member of etcd whose folder is a file system of its own, where that is possible. */
export const SMALL_DISK_MEMBER = 2;
const WEEK_MS = 7 * 86_400_000;

/** Encryption keys in the file at a time: objects are written again before their key is removed. */
const KEYS = 3;

/** The files of the programs of a soak run, some of which faults replace while the programs run. */
class Files {
  readonly folder: string;
  readonly #authority = testCertificate({
    commonName: 'soak',
    use: 'authority',
    notAfter: Date.now() + WEEK_MS,
  });
  readonly #random: Random;
  #keys: string[] = [];

  constructor(folder: string, random: Random) {
    this.folder = folder;
    this.#random = random;
    mkdirSync(this.at('certs'), { recursive: true });
    this.rotateCertificate();
    this.rotateKey();
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  get authority(): Buffer {
    return Buffer.from(this.#authority.cert);
  }

  /** A new certificate and key of the servers. */
  rotateCertificate(): void {
    const notAfter = Date.now() + WEEK_MS;
    const { cert, key } = testCertificate({ commonName: 'server', use: 'server', notAfter }, this.#authority);
    this.#replace('server.key', key);
    this.#replace('server.crt', cert);
  }

  /** A new key with which secrets are encrypted. All servers can decrypt with it before one encrypts with it. */
  rotateKey(): void {
    const name = `key${this.#random.int(1_000_000)}`;
    const entry = `{ name: ${name}, secret: ${this.#random.bytes(32).toString('base64')} }`;
    this.#keys = [...this.#keys, entry].slice(-KEYS);
    this.#writeKeys();
  }

  /** Encrypts with the newest key. */
  useNewestKey(): void {
    const newest = this.#keys.pop();
    if (newest !== undefined) this.#keys.unshift(newest);
    this.#writeKeys();
  }

  #writeKeys(): void {
    this.#replace(
      'encryption.yaml',
      [
        `apiVersion: ${namesFor('orch').apiVersion('apiserverconfig', 'v1')}`,
        'kind: EncryptionConfiguration',
        'resources:',
        '  - resources: [secrets]',
        '    providers:',
        `      - aesgcm: { keys: [${this.#keys.join(', ')}] }`,
        '',
      ].join('\n'),
    );
  }

  /** Readers see the former content or the new one. */
  #replace(name: string, text: string): void {
    writeFileSync(this.at(`${name}.new`), text, { mode: 0o600 });
    renameSync(this.at(`${name}.new`), this.at(name));
  }
}

/** A clock that faults step, and a client of the server that has it. */
interface SteppedClock {
  readonly clock: ProgramClock;
  /** Undefined for the manager. */
  readonly client: ApiClient | undefined;
}

/** The programs of a soak run: etcd with three members, three API servers, and a controller manager. */
export class SoakCluster implements AsyncDisposable {
  readonly random: Random;
  readonly etcd: EtcdCluster;
  readonly files: Files;
  readonly servers: readonly Supervised[];
  readonly manager: Supervised;
  readonly configs: readonly ClientConfig[];
  readonly clients: readonly ApiClient[];
  /** The clocks of the programs that faults concern. */
  readonly clocks: readonly SteppedClock[];
  /** The disk of a member of etcd; undefined where file systems cannot be mounted. */
  readonly disk: SmallDisk | undefined;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    parts: Pick<SoakCluster, 'random' | 'etcd' | 'files' | 'servers' | 'manager' | 'configs' | 'disk'>,
    stack: AsyncDisposableStack,
  ) {
    this.random = parts.random;
    this.etcd = parts.etcd;
    this.files = parts.files;
    this.servers = parts.servers;
    this.manager = parts.manager;
    this.configs = parts.configs;
    this.clients = parts.configs.map((config) => stack.use(new ApiClient(config)));
    this.clocks = [...this.troubled, parts.manager].map((program) => ({
      clock: clockOf(parts.files, program.name),
      client: this.clients[parts.servers.indexOf(program)],
    }));
    this.disk = parts.disk;
    this.#stack = stack;
  }

  static async start(random: Random): Promise<SoakCluster> {
    await using stack = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'orch-soak-'));
    stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    const files = new Files(folder, random);
    let disk: SmallDisk | undefined;
    const prepare = (dataDir: string, member: number): void => {
      if (member === SMALL_DISK_MEMBER) disk = SmallDisk.mount(dataDir);
    };
    const etcd = stack.use(await startEtcd({ members: 3, peerNetwork: true, prepare }));
    stack.defer(() => disk?.[Symbol.dispose]());
    const ports = await freePorts(SERVERS);
    const restartMs = (): number => 100 + random.int(2000);
    const servers = ports.map((port, i) => {
      const name = i === 0 ? 'server without faults' : `server ${i}`;
      return stack.use(
        new Supervised({
          name,
          ...(i === 0 ? {} : { env: clockOf(files, name).env }),
          path: join(bin, 'orch-apiserver'),
          argv: () => serverFlags(files, etcd, port),
          restartMs,
        }),
      );
    });
    // The first one makes the certificates and keys that all share.
    for (const each of servers) {
      each.start();
      await each.waitFor(/https:\/\/127\.0\.0\.1:\d+/, START_MS);
    }
    const admin = { ...readClientConfig(files.at('admin.conf')), ca: files.authority };
    const configs = ports.map((port) => ({ ...admin, server: `https://127.0.0.1:${port}` }));
    const argv = (): string[] => [`--client-config=${managerConfig(files, ports[random.int(SERVERS)] ?? 0)}`];
    const manager = stack.use(
      new Supervised({
        name: 'manager',
        path: join(bin, 'orch-controller-manager'),
        argv,
        restartMs,
        env: clockOf(files, 'manager').env,
      }),
    );
    manager.start();
    return new SoakCluster({ random, etcd, files, servers, manager, configs, disk }, stack.move());
  }

  /** The servers that faults concern. The first one runs as long as the run, so that its memory shows what it keeps. */
  get troubled(): readonly Supervised[] {
    return this.servers.slice(1);
  }

  any<T>(list: readonly T[]): T {
    const picked = list[this.random.int(list.length)];
    if (picked === undefined) throw new RangeError('the list is empty');
    return picked;
  }

  /** Resolves when all servers are ready and execute writes, and controllers work. Rejects after the deadline. */
  async recovered(deadlineMs: number): Promise<void> {
    for (const client of this.clients)
      await poll('a server recovers', deadlineMs, async () => {
        const ready = await client.get('/readyz', limited());
        if (ready.status !== 200) return undefined;
        const body = { metadata: { generateName: 'recovery-' } };
        const created = await client.post('/api/v1/namespaces/default/secrets?dryRun=All', body, limited());
        return created.status === 201 ? true : undefined;
      });
    await this.#controllersWork(deadlineMs);
  }

  /** Resolves when controllers have made the account of a new namespace. */
  async #controllersWork(deadlineMs: number): Promise<void> {
    const client = this.any(this.clients);
    const name = `recovery-${this.random.int(2 ** 31)}`;
    const spaces = '/api/v1/namespaces';
    await poll('controllers work', deadlineMs, async () => {
      await client.post(spaces, { metadata: { name } }, limited());
      const account = await client.get(`${spaces}/${name}/serviceaccounts/default`, limited());
      return account.status === 200 ? true : undefined;
    });
    await client.delete(`${spaces}/${name}`, limited());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

const clockOf = (files: Files, name: string): ProgramClock =>
  new ProgramClock(files.at(`clock-${name.replaceAll(' ', '-')}`));

const limited = (): RequestOptions => ({ signal: AbortSignal.timeout(REQUEST_MS) });

const serverFlags = (files: Files, etcd: EtcdCluster, port: number): readonly string[] => [
  '--bind-address=127.0.0.1',
  `--secure-port=${port}`,
  `--cert-dir=${files.at('certs')}`,
  `--admin-config=${files.at('admin.conf')}`,
  `--tls-cert-file=${files.at('server.crt')}`,
  `--tls-private-key-file=${files.at('server.key')}`,
  '--storage-backend=etcd',
  `--etcd-servers=${etcd.endpoints.join(',')}`,
  // The run compacts what its watches have received.
  '--etcd-compaction-interval=0',
  `--encryption-provider-config=${files.at('encryption.yaml')}`,
  '--encryption-provider-config-automatic-reload',
];

function managerConfig(files: Files, port: number): string {
  const text = readFileSync(files.at('admin.conf'), 'utf8')
    .replace(/https:\/\/127\.0\.0\.1:\d+/, `https://127.0.0.1:${port}`)
    .replace(
      /certificate-authority-data: .*/,
      `certificate-authority-data: ${files.authority.toString('base64')}`,
    );
  writeFileSync(files.at('manager.conf'), text, { mode: 0o600 });
  return files.at('manager.conf');
}
