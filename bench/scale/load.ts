import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Transport, TypedClient } from '@orch/client';
import type { Random } from '@orch/machinery';
import type { Latencies } from './latencies.ts';

/** The size and the rates of a load. */
export interface LoadOptions {
  readonly nodes: number;
  readonly podsPerNode: number;
  /** Pods that are created, and as many that are deleted, in a second. */
  readonly podsPerSecond: number;
  readonly namespaces: number;
  /** Config maps that a node watches, and as many secrets. */
  readonly references: number;
  /** The share of the nodes with a TLS connection each, in percent. */
  readonly ownConnections: number;
  /** Whether controllers run, and Deployments change. */
  readonly controllers: boolean;
}

/** Pods of a Deployment. */
export const REPLICAS = 10;

/** Pods a second that come and go because Deployments change; the others are single pods. */
export const rolledPerSecond = ({ controllers, podsPerSecond }: LoadOptions): number =>
  controllers ? podsPerSecond / 2 : 0;

/** Enough Deployments that each changes every 40 s. */
export const deploymentsOf = (options: LoadOptions): number =>
  Math.ceil((rolledPerSecond(options) / REPLICAS) * 40);

/** A client with the transport that it uses. */
export interface LoadClient {
  readonly client: TypedClient;
  readonly transport: Transport;
}

/** The parts of the programs that make up a cluster. */
export interface LoadContext {
  readonly options: LoadOptions;
  /** The client of an agent; several agents share one. */
  readonly agentClient: (node: number) => LoadClient;
  /** A client of everything else, with a replica in turn. */
  readonly userClient: (number: number) => LoadClient;
  readonly latencies: Latencies;
  readonly random: Random;
}

export const nodeName = (i: number): string => `node-${i}`;
export const namespaceName = (i: number): string => `load-${i}`;
export const namespaceOf = ({ namespaces }: LoadOptions, i: number): string => namespaceName(i % namespaces);
export const configName = (i: number): string => `config-${i}`;
export const deploymentName = (i: number): string => `web-${i}`;
export const LEASE_NAMESPACE = 'kube-node-lease';

/** A signal that does not abort. One that many watches share would make each slower, because it has a list of all listeners. */
export const unaborted = (): AbortSignal => new AbortController().signal;

export const pause = (ms: number): Promise<void> => sleepFor(Math.max(0, ms));

/** Calls `work` at a steady rate until the process ends; calls that take long overlap. */
export async function paced(perSecond: number, work: (i: number) => Promise<void>): Promise<void> {
  if (perSecond <= 0) return;
  const began = performance.now();
  for (let i = 0; ; i++) {
    await pause(began + (i * 1000) / perSecond - performance.now());
    void work(i);
  }
}
