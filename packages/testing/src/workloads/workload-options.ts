import type { PodRules } from '@orch/controllers/simulated-nodes';
import { durationMs } from '@orch/machinery/time';
import { UsageError } from '@orch/program';

/** The controllers of workloads, by their names in `--controllers`. */
export const workloadControllers = [
  'deployment',
  'replicaset',
  'job',
  'statefulset',
  'endpointslice',
  'daemonset',
  'cronjob',
] as const;

/** The name of a controller of workloads. */
export type WorkloadController = (typeof workloadControllers)[number];

/** Milliseconds, or a text such as `20ms` or `1.5s`. */
export type Duration = number | string;

/** Pods that fail. */
export interface PodFailure {
  /** The name of a pod, in which `*` stands for any text, or labels that it has. */
  readonly pods: string | Readonly<Record<string, string>>;
  /** Time from the start of a pod until it fails; when it would become ready if absent. */
  readonly after?: Duration;
  /** Exit status of the containers; 1 if absent. */
  readonly exitCode?: number;
  /** How many starts fail, of all these pods together; every one if absent. */
  readonly times?: number;
}

/** How pods run in a control plane with workloads. No program runs: pods change their status. */
export interface PodOptions {
  /** Time from the start of a pod until it is ready; 0 if absent. */
  readonly readyAfter?: Duration;
  /** Time from then on until the pods of jobs succeed, and others with a restart policy of `Never` or `OnFailure`; 0 if absent. */
  readonly succeedAfter?: Duration;
  /** Delay of the first restart of a container, which doubles with each further one; 100 ms if absent. */
  readonly restartAfter?: Duration;
  /** Time from the deletion of a pod until it has ended; 0 if absent. */
  readonly endAfter?: Duration;
  /** Pods that fail; the first entry that matches a pod, and is not used up, applies. */
  readonly fail?: readonly PodFailure[];
}

/** The workloads that run, their nodes, and what their pods do. */
export interface WorkloadOptions {
  /**
   * Whether Deployments and other workloads have controllers, and pods get nodes, become ready, fail and end as `pods` says: all of
   * the controllers with `true`, or those that are named. Off when absent.
   */
  readonly workloads?: boolean | readonly WorkloadController[];
  /** How pods run with `workloads`. */
  readonly pods?: PodOptions;
  /** The number of nodes, `node-1` and so on, that exist at the start with `workloads`; 3 when absent. */
  readonly nodes?: number;
}

const NODES = 3;
const MAX_NODES = 10_000;
const RESTART_MS = 100;

/** The checked options; undefined without workloads. */
export interface Workloads {
  readonly controllers: readonly WorkloadController[];
  readonly rules: PodRules;
  readonly nodes: number;
}

/** Throws a `UsageError` for options that are not valid. */
export function workloadsOf({
  workloads = false,
  pods,
  nodes = NODES,
}: WorkloadOptions): Workloads | undefined {
  if (workloads === false) {
    if (pods !== undefined) throw new UsageError('pods must not be given without workloads');
    return undefined;
  }
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > MAX_NODES)
    throw new UsageError(`nodes must be a whole number from 0 to ${MAX_NODES}`);
  const controllers = workloads === true ? workloadControllers : workloads;
  const unknown = controllers.find((name) => !workloadControllers.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `workloads must be names of ${workloadControllers.join(', ')}: ${JSON.stringify(unknown)}`,
    );
  return { controllers, nodes, rules: rulesOf(pods ?? {}) };
}

function rulesOf({
  readyAfter = 0,
  succeedAfter = 0,
  restartAfter = RESTART_MS,
  endAfter = 0,
  fail = [],
}: PodOptions): PodRules {
  return {
    readyAfterMs: msOf('readyAfter', readyAfter),
    succeedAfterMs: msOf('succeedAfter', succeedAfter),
    restartAfterMs: msOf('restartAfter', restartAfter),
    endAfterMs: msOf('endAfter', endAfter),
    fail: fail.map(({ after, ...rule }) => ({
      ...rule,
      ...(after !== undefined && { afterMs: msOf('after', after) }),
    })),
  };
}

function msOf(option: string, value: Duration): number {
  const ms = typeof value === 'string' ? durationMs(value) : value;
  if (ms !== undefined && Number.isFinite(ms) && ms >= 0) return ms;
  throw new UsageError(
    `pods: ${option} must be a number of milliseconds or a duration such as 20ms: ${JSON.stringify(value)}`,
  );
}
