import type { kinds } from '@orch/client';
import { formatTime, timeMs } from '@orch/machinery/time';
import type { Moment } from './pod-rules.ts';

type Pod = kinds.core.Pod;
type PodStatus = kinds.core.PodStatus;
type ContainerStatus = kinds.core.ContainerStatus;

export interface Reported {
  readonly moment: Moment;
  readonly nowMs: number;
  readonly restarts: number;
  readonly exitCode: number;
  readonly podIP: string;
  readonly hostIP: string;
}

const phases = {
  starting: 'Running',
  ready: 'Running',
  waiting: 'Running',
  restart: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
} as const;

/** The status of a pod, as the agent of its node reports it. */
export function podStatusOf(pod: Pod, reported: Reported): PodStatus {
  const { moment, nowMs, podIP, hostIP } = reported;
  const now = formatTime(nowMs);
  const isReady = moment.state === 'ready';
  const reason =
    moment.state === 'succeeded'
      ? 'PodCompleted'
      : moment.state === 'failed'
        ? 'PodFailed'
        : 'ContainersNotReady';
  const condition = (type: string, holds: boolean): kinds.core.PodCondition => {
    const status = holds ? 'True' : 'False';
    const old = pod.status?.conditions?.find((each) => each.type === type);
    const lastTransitionTime = old?.status === status ? (old.lastTransitionTime ?? now) : now;
    return { type, status, lastTransitionTime, ...(!holds && { reason }) };
  };
  const startTime = pod.status?.startTime ?? now;
  return {
    phase: phases[moment.state],
    startTime,
    hostIP,
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: [
      condition('Initialized', true),
      condition('ContainersReady', isReady),
      condition('Ready', isReady && gatesAreOpen(pod)),
      condition('PodScheduled', true),
    ],
    initContainerStatuses: (pod.spec?.initContainers ?? []).map((container) =>
      initStatus(container, reported, startTime),
    ),
    containerStatuses: (pod.spec?.containers ?? []).map((container) =>
      containerStatus(container, reported, startTime),
    ),
  };
}

/** Reports whether every condition that the pod names as a gate of its readiness is True. */
const gatesAreOpen = ({ spec, status }: Pod): boolean =>
  (spec?.readinessGates ?? []).every(({ conditionType }) =>
    (status?.conditions ?? []).some((each) => each.type === conditionType && each.status === 'True'),
  );

function containerStatus(
  container: kinds.core.Container,
  reported: Reported,
  startedAt: string,
): ContainerStatus {
  const { moment, restarts, exitCode, nowMs } = reported;
  const ended = {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt,
    finishedAt: formatTime(nowMs),
  };
  const isEnded = moment.state === 'succeeded' || moment.state === 'failed';
  const isWaiting = moment.state === 'waiting' || moment.state === 'restart';
  const common = {
    ...base(container, restarts),
    ready: moment.state === 'ready',
    started: !isEnded && !isWaiting,
  };
  if (isEnded) return { ...common, state: { terminated: ended } };
  if (isWaiting)
    return {
      ...common,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: ended },
    };
  return { ...common, state: { running: { startedAt } } };
}

/** Init containers end at once, except those that run beside the others. */
function initStatus(container: kinds.core.Container, reported: Reported, startedAt: string): ContainerStatus {
  if (container.restartPolicy === 'Always') return containerStatus(container, reported, startedAt);
  const terminated = { exitCode: 0, reason: 'Completed', startedAt, finishedAt: startedAt };
  return { ...base(container, 0), ready: true, started: false, state: { terminated } };
}

const base = ({ name, image = '' }: kinds.core.Container, restartCount: number) => ({
  name,
  image,
  imageID: `simulated://${image}`,
  restartCount,
});

/** Reports whether a status says the same, apart from the times of containers. */
export function isReported(pod: Pod, next: PodStatus): boolean {
  const facts = ({ phase, podIP, conditions = [], containerStatuses = [] }: PodStatus): string =>
    JSON.stringify([
      phase,
      podIP,
      (next.conditions ?? []).map(({ type }) => conditions.find((each) => each.type === type)?.status),
      containerStatuses.map(({ name, ready, restartCount, state }) => [
        name,
        ready,
        restartCount,
        Object.keys(state ?? {}),
      ]),
    ]);
  return facts(pod.status ?? {}) === facts(next);
}

/** When a pod was started, by its status. */
export const startedAtMs = ({ status }: Pod): number | undefined => timeMs(status?.startTime ?? '');
