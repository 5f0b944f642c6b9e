import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts, poll } from '@orch/machinery/testing';
import { findEtcd } from './etcd-binary.ts';
import { type ClientTls, EtcdMember } from './etcd-member.ts';
import { PeerNetwork } from './peer-network.ts';
import { type TempDir, tempDir } from './temp-dir.ts';
import { createTestAuthority } from './test-certificates.ts';

export interface EtcdOptions {
  /** Default 1. */
  readonly members?: 1 | 3;
  /** Serve clients over TLS and require a client certificate. */
  readonly tls?: boolean;
  /** Enable authentication with this `root` user; tokens live for `tokenTtlSeconds` (default 300) without use. */
  readonly auth?: { readonly password: string; readonly tokenTtlSeconds?: number };
  /** Members connect to each other through a network that can be partitioned. */
  readonly peerNetwork?: boolean;
  /** Serve requests of tests (`EtcdMember.http`) without TLS: with users, the JSON gateway refuses client certificates. */
  readonly plainGateway?: boolean;
  /** Further flags for every member. */
  readonly flags?: readonly string[];
  /** Called with the folder of each member, and its number, before the first start. */
  readonly prepare?: (dataDir: string, member: number) => void;
}

/** A running cluster; disposing it kills the processes and removes their data. */
export interface EtcdCluster extends AsyncDisposable {
  readonly members: readonly EtcdMember[];
  readonly endpoints: readonly string[];
  readonly tls: ClientTls | undefined;
  readonly auth: { readonly username: string; readonly password: string } | undefined;
  /** The network between the members, with the option `peerNetwork`. */
  readonly network: PeerNetwork | undefined;
  /** The current leader. */
  leader(): Promise<EtcdMember>;
}

/** Starts a real etcd on free ports of loopback and waits until every member is healthy. */
export async function startEtcd(options: EtcdOptions = {}): Promise<EtcdCluster> {
  const binary = await findEtcd();
  const dir = await tempDir('orch-etcd-');
  const tls = options.tls === true ? await writeCertificates(dir) : undefined;
  const count = options.members ?? 1;
  const ports = await freePorts(3 * count);
  const peerPorts = ports.slice(count, 2 * count);
  const network = options.peerNetwork === true ? await PeerNetwork.listen(peerPorts) : undefined;
  const members = planMembers({ binary, dir, tls, options, ports, advertised: network?.ports ?? peerPorts });
  const dispose = async () => {
    await Promise.all(members.map((member) => member.kill()));
    await network?.[Symbol.asyncDispose]();
    await dir[Symbol.asyncDispose]();
  };
  try {
    for (const [i, { dataDir }] of members.entries()) options.prepare?.(dataDir, i);
    for (const member of members) member.start();
    await Promise.all(members.map((member) => member.ready()));
    network?.know(await memberIds(members));
    const auth = options.auth && { username: 'root', password: options.auth.password };
    if (auth !== undefined) await enableAuth(first(members), auth);
    return {
      members,
      endpoints: members.map((member) => member.endpoint),
      tls,
      auth,
      network,
      leader: () => findLeader(members),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

interface Plan {
  readonly binary: string;
  readonly dir: TempDir;
  readonly tls: ClientTls | undefined;
  readonly options: EtcdOptions;
  /** For clients, then for peers, then for clients without TLS. */
  readonly ports: readonly number[];
  /** Addresses for peers. */
  readonly advertised: readonly number[];
}

function planMembers({ binary, dir, tls, options, ports, advertised }: Plan): EtcdMember[] {
  const count = advertised.length;
  const peers = advertised.map((port, index) => `m${index}=http://127.0.0.1:${port}`);
  return ports.slice(0, count).map((clientPort, index) => {
    const name = `m${index}`;
    const client = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${clientPort}`;
    const plainPort = options.plainGateway === true ? ports[2 * count + index] : undefined;
    const plain = plainPort === undefined ? '' : `,http://127.0.0.1:${plainPort}`;
    const peer = peers[index]?.slice(name.length + 1) ?? '';
    const dataDir = join(dir.path, name);
    const args = [
      ...['--name', name, '--data-dir', dataDir, '--logger', 'zap', '--log-level', 'warn'],
      ...['--listen-client-urls', `${client}${plain}`, '--advertise-client-urls', client],
      ...['--listen-peer-urls', `http://127.0.0.1:${ports[count + index]}`],
      ...['--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', peers.join(','), '--initial-cluster-token', dir.path],
      ...['--heartbeat-interval', '50', '--election-timeout', '500'],
      ...(tls === undefined ? [] : tlsFlags(dir)),
      // A password costs a tenth of a second of CPU otherwise, and more than a request may take on a busy machine.
      ...(options.auth === undefined ? [] : ['--bcrypt-cost', '4']),
      ...(options.auth?.tokenTtlSeconds === undefined
        ? []
        : ['--auth-token-ttl', `${options.auth.tokenTtlSeconds}`]),
      ...(options.flags ?? []),
    ];
    return new EtcdMember({ binary, args, name, dataDir, clientPort, tls, plainPort });
  });
}

function tlsFlags(dir: TempDir): string[] {
  return [
    ...['--cert-file', join(dir.path, 'server.crt'), '--key-file', join(dir.path, 'server.key')],
    ...['--trusted-ca-file', join(dir.path, 'ca.crt'), '--client-cert-auth'],
  ];
}

async function writeCertificates(dir: TempDir): Promise<ClientTls> {
  const authority = createTestAuthority();
  const server = authority.issue('etcd');
  await writeFile(join(dir.path, 'ca.crt'), authority.ca);
  await writeFile(join(dir.path, 'server.crt'), server.cert);
  await writeFile(join(dir.path, 'server.key'), server.key);
  return { ca: authority.ca, ...authority.issue('client') };
}

async function enableAuth(member: EtcdMember, user: { username: string; password: string }): Promise<void> {
  const steps: [path: string, body: unknown][] = [
    ['user/add', { name: user.username, password: user.password }],
    ['role/add', { name: 'root' }],
    ['user/grant', { user: user.username, role: 'root' }],
    ['enable', {}],
  ];
  for (const [path, body] of steps) {
    const reply = await member.http('POST', `/v3/auth/${path}`, body);
    if (reply.status !== 200) throw new Error(`etcd auth ${path}: ${reply.status} ${reply.body}`);
  }
}

/** Identifiers of the members, in hexadecimal digits, in the order of the members. */
async function memberIds(members: readonly EtcdMember[]): Promise<readonly string[]> {
  const { body } = await first(members).http('POST', '/v3/cluster/member/list', {});
  const listed = (JSON.parse(body) as { members: readonly { ID: string; name: string }[] }).members;
  return members.map(({ name }) => {
    const found = listed.find((each) => each.name === name);
    return found === undefined ? '' : BigInt(found.ID).toString(16);
  });
}

function findLeader(members: readonly EtcdMember[]): Promise<EtcdMember> {
  return poll('the etcd cluster has a leader', 10_000, async () => {
    for (const member of members) {
      if (!member.running) continue;
      const reply = await member.http('GET', '/metrics').catch(() => undefined);
      if (reply !== undefined && /^etcd_server_is_leader 1$/m.test(reply.body)) return member;
    }
    return undefined;
  });
}

function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('a cluster has at least one member');
  return item;
}
