import type { Random } from '@orch/machinery';
import type { EtcdMember } from '@orch/storage/testing';
import type { Link } from '../cluster/link.ts';
import type { PartitionCluster, Replica } from './cluster.ts';

type Fault = (cluster: PartitionCluster) => Promise<void>;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const oneOf = <T>(items: readonly T[], random: Random): T => {
  const item = items[random.int(items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};

/** Enough time for an election, and for servers to notice, or not. */
const someTime = (random: Random): Promise<void> => wait(300 + random.int(3500));

async function cutOff({ network, etcd, random }: PartitionCluster, member: EtcdMember): Promise<void> {
  network.partition([etcd.members.indexOf(member)]);
  await someTime(random);
  network.heal();
}

async function breakLinks(
  links: readonly Link[],
  how: 'cut' | 'blackHole' | 'deafen',
  random: Random,
): Promise<void> {
  for (const link of links) link[how]();
  await someTime(random);
  for (const link of links) link.mend();
}

const anyReplica = ({ replicas, random }: PartitionCluster): Replica => oneOf(replicas, random);

/** Faults that break a majority of etcd when two of them coincide: they take turns. */
const ofMembers: Readonly<Record<string, Fault>> = {
  'etcd leader cut off from its peers': async (cluster) => cutOff(cluster, await cluster.etcd.leader()),
  'etcd member cut off from its peers': (cluster) =>
    cutOff(cluster, oneOf(cluster.etcd.members, cluster.random)),
  'etcd members cut off one after another': async ({ network, random }) => {
    network.partition([0]);
    await someTime(random);
    network.partition([1]);
    await someTime(random);
    network.heal();
  },
  'etcd leader stopped': async ({ etcd, random }) => {
    const leader = await etcd.leader();
    await leader.pause();
    await someTime(random);
    leader.resume();
  },
  'etcd member killed': async ({ etcd, random }) => {
    const member = oneOf(etcd.members, random);
    await member.kill();
    await someTime(random);
    member.start();
    await member.ready();
  },
};

/** Faults between one server and etcd, or of a server. */
const ofServers: Readonly<Record<string, Fault>> = {
  'server without one member': (cluster) =>
    breakLinks([oneOf(anyReplica(cluster).links, cluster.random)], 'blackHole', cluster.random),
  'server without answers of etcd': (cluster) =>
    breakLinks(anyReplica(cluster).links, 'deafen', cluster.random),
  'server cut from etcd': (cluster) => breakLinks(anyReplica(cluster).links, 'cut', cluster.random),
  'server killed': async (cluster) => anyReplica(cluster).program.signal('SIGKILL'),
  'server stopped': async (cluster) => {
    const { program } = anyReplica(cluster);
    program.signal('SIGSTOP');
    await someTime(cluster.random);
    program.signal('SIGCONT');
  },
};

export const kindsOfFaults = Object.keys(ofMembers).length + Object.keys(ofServers).length;

/**
 * Causes two faults at a time, one of each sort, for the given time; resolves with the number of each, when all are
 * over.
 */
export async function disturb(
  cluster: PartitionCluster,
  forMs: number,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const until = performance.now() + forMs;
  const inTurn = async (faults: Readonly<Record<string, Fault>>): Promise<void> => {
    for (let turn: string[] = []; performance.now() < until; ) {
      if (turn.length === 0) turn = shuffled(Object.keys(faults), cluster.random);
      const name = turn.pop() ?? '';
      counts.set(name, (counts.get(name) ?? 0) + 1);
      await faults[name]?.(cluster);
      await wait(cluster.random.int(1500));
    }
  };
  await Promise.all([inTurn(ofMembers), inTurn(ofServers)]);
  return counts;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const rest = [...items];
  const mixed: T[] = [];
  while (rest.length > 0) mixed.push(...rest.splice(random.int(rest.length), 1));
  return mixed;
}
