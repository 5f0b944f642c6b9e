import { readFileSync } from 'node:fs';
import type { EtcdCluster } from '@orch/storage/testing';
import { cpuMicros, rssBytes } from '../lib/proc.ts';

export type Role = 'server' | 'etcd' | 'manager' | 'load';

export interface Program {
  readonly name: string;
  readonly role: Role;
  readonly pid: number;
}

/** CPU and memory of a program while it was measured. */
export interface ProgramUsage {
  readonly name: string;
  readonly role: Role;
  /** Seconds of CPU in a second. */
  readonly cores: number;
  /** Resident memory at the end. */
  readonly bytes: number;
}

/** Totals since the start of an etcd, or of the loopback interface. */
interface Totals {
  readonly writes: number;
  readonly clientBytes: number;
  readonly loopbackBytes: number;
}

/** What happened in a second, by the metrics of all etcds and of the loopback interface. */
export interface Rates {
  /** Proposals that etcd committed: transactions, also those whose comparison failed, and leases of events. */
  readonly writes: number;
  /** Bytes between etcd and its clients. */
  readonly etcdBytes: number;
  /** Bytes on the loopback interface, apart from those of etcd: right only if no other program uses it. */
  readonly networkBytes: number;
}

/** Measures the programs of a cluster. */
export class Usage {
  readonly #programs: readonly Program[];
  readonly #etcds: readonly EtcdCluster[];
  #began = 0;
  #cpu: readonly number[] = [];
  #totals: Totals = { writes: 0, clientBytes: 0, loopbackBytes: 0 };

  constructor(programs: readonly Program[], etcds: readonly EtcdCluster[]) {
    this.#programs = programs;
    this.#etcds = etcds;
  }

  async begin(): Promise<void> {
    this.#totals = await totalsOf(this.#etcds);
    this.#cpu = this.#programs.map(({ pid }) => cpuMicros(pid));
    this.#began = performance.now();
  }

  async end(): Promise<{ readonly programs: readonly ProgramUsage[]; readonly rates: Rates }> {
    const seconds = (performance.now() - this.#began) / 1000;
    const programs = this.#programs.map(({ name, role, pid }, i) => ({
      ...{ name, role, bytes: rssBytes(pid) },
      cores: (cpuMicros(pid) - (this.#cpu[i] ?? 0)) / 1_000_000 / seconds,
    }));
    const { writes, clientBytes, loopbackBytes } = await totalsOf(this.#etcds);
    const etcdBytes = (clientBytes - this.#totals.clientBytes) / seconds;
    const rates = {
      writes: (writes - this.#totals.writes) / seconds,
      etcdBytes,
      networkBytes: (loopbackBytes - this.#totals.loopbackBytes) / seconds - etcdBytes,
    };
    return { programs, rates };
  }
}

async function totalsOf(etcds: readonly EtcdCluster[]): Promise<Totals> {
  const texts = await Promise.all(
    etcds.map(async ({ members: [member] }) => (await member?.http('GET', '/metrics'))?.body ?? ''),
  );
  const sum = (name: string): number =>
    texts.reduce((all, text) => all + Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0), 0);
  const loopback = /^\s*lo:\s*(\d+)/m.exec(readFileSync('/proc/net/dev', 'utf8'))?.[1];
  return {
    writes: sum('etcd_server_proposals_committed_total'),
    clientBytes:
      sum('etcd_network_client_grpc_received_bytes_total') + sum('etcd_network_client_grpc_sent_bytes_total'),
    loopbackBytes: Number(loopback ?? 0),
  };
}
