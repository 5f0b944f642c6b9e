import type { ContainerStateTerminated, ContainerStatus, Pod } from '@orch/kinds/core';
import { hasDeletionTimestamp } from '@orch/machinery';

/** The state of a pod in its table row. */
export interface PodState {
  /** One word: the phase of the pod, or the reason why it does not run. */
  readonly text: string;
  readonly readyContainers: number;
  readonly restarts: number;
  /** When the last container that was restarted had ended; undefined when none was. */
  readonly lastRestart: string | undefined;
}

interface Progress {
  readonly text: string;
  readonly restarts: number;
  readonly ready: number;
}

const codeText = (end: ContainerStateTerminated): string => {
  const signal = end.signal ?? 0;
  return signal === 0 ? `ExitCode:${end.exitCode ?? 0}` : `Signal:${signal}`;
};

const endText = (end: ContainerStateTerminated): string => (end.reason ?? '') || codeText(end);

/** The reason why an init container has not completed; undefined when it has. */
function initText(status: ContainerStatus, position: number, total: number): string | undefined {
  const { terminated, waiting } = status.state ?? {};
  if (terminated !== undefined) {
    const end = terminated ?? {};
    return (end.exitCode ?? 0) === 0 ? undefined : `Init:${endText(end)}`;
  }
  const reason = waiting?.reason ?? '';
  return reason !== '' && reason !== 'PodInitializing' ? `Init:${reason}` : `Init:${position}/${total}`;
}

/** The first init container that is not done; undefined when none is left. */
function initProgress(pod: Pod): Progress | undefined {
  const total = (pod.spec?.initContainers ?? []).length;
  let restarts = 0;
  for (const [i, status] of (pod.status?.initContainerStatuses ?? []).entries()) {
    restarts += status.restartCount ?? 0;
    const text = initText(status, i, total);
    if (text !== undefined) return { text, restarts, ready: 0 };
  }
  return undefined;
}

function isReady(pod: Pod): boolean {
  return (pod.status?.conditions ?? []).some(
    (condition) => condition.type === 'Ready' && condition.status === 'True',
  );
}

/** The text is that of the first container that waits or has terminated. */
function runProgress(pod: Pod, phase: string): Progress {
  let text = phase;
  let restarts = 0;
  let ready = 0;
  for (const status of (pod.status?.containerStatuses ?? []).toReversed()) {
    restarts += status.restartCount ?? 0;
    const { waiting, terminated, running } = status.state ?? {};
    const reason = waiting?.reason ?? '';
    if (reason !== '') text = reason;
    else if (terminated !== undefined) text = endText(terminated);
    else if (status.ready === true && running !== undefined) ready++;
  }
  // Some containers have completed while others are still running.
  if (text === 'Completed' && ready > 0) text = isReady(pod) ? 'Running' : 'NotReady';
  return { text, restarts, ready };
}

function lastRestartOf(pod: Pod, initializing: boolean): string | undefined {
  const status = pod.status ?? {};
  const containers = [
    ...(status.initContainerStatuses ?? []),
    ...(initializing ? [] : (status.containerStatuses ?? [])),
  ];
  const ends = containers
    .map((container) => container.lastState?.terminated?.finishedAt ?? '')
    .filter((end) => end !== '');
  // Times in the same format compare as strings.
  return ends.sort().at(-1);
}

/** The state of a pod for the Status column (facts: table cells of pods). */
export function podState(pod: Pod): PodState {
  const status = pod.status ?? {};
  const reason = status.reason ?? '';
  const init = initProgress(pod);
  const progress = init ?? runProgress(pod, reason || (status.phase ?? ''));
  const deleted = hasDeletionTimestamp(pod.metadata)
    ? reason === 'NodeLost'
      ? 'Unknown'
      : 'Terminating'
    : undefined;
  return {
    text: deleted ?? progress.text,
    readyContainers: progress.ready,
    restarts: progress.restarts,
    lastRestart: lastRestartOf(pod, init !== undefined),
  };
}
