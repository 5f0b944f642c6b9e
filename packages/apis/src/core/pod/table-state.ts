import { type ApiObject, hasDeletionTimestamp } from '@orch/machinery';
import { asNumber, asObject, asObjects, asText, type JsonObject, specOf, statusOf } from '../../read.ts';

/** What the table says about the life of a pod. */
export interface PodState {
  /** One word about what the pod is doing, or what is wrong with it. */
  readonly text: string;
  readonly readyContainers: number;
  readonly restarts: number;
  /** When a container ended last before it was started again; undefined when none was. */
  readonly lastRestart: string | undefined;
}

interface Progress {
  readonly text: string;
  readonly restarts: number;
  readonly ready: number;
}

const codeText = (end: JsonObject): string => {
  const signal = asNumber(end['signal']);
  return signal === 0 ? `ExitCode:${asNumber(end['exitCode'])}` : `Signal:${signal}`;
};

const endText = (end: JsonObject): string => asText(end['reason']) || codeText(end);

/** What keeps an init container from being done; undefined when it is done. */
function initText(status: JsonObject, position: number, total: number): string | undefined {
  const { terminated, waiting } = asObject(status['state']);
  if (terminated !== undefined) {
    const end = asObject(terminated);
    return asNumber(end['exitCode']) === 0 ? undefined : `Init:${endText(end)}`;
  }
  const reason = asText(asObject(waiting)['reason']);
  return reason !== '' && reason !== 'PodInitializing' ? `Init:${reason}` : `Init:${position}/${total}`;
}

/** The first init container that is not done; undefined when none is left. */
function initProgress(pod: ApiObject): Progress | undefined {
  const total = asObjects(specOf(pod)['initContainers']).length;
  let restarts = 0;
  for (const [i, status] of asObjects(statusOf(pod)['initContainerStatuses']).entries()) {
    restarts += asNumber(status['restartCount']);
    const text = initText(status, i, total);
    if (text !== undefined) return { text, restarts, ready: 0 };
  }
  return undefined;
}

function isReady(pod: ApiObject): boolean {
  return asObjects(statusOf(pod)['conditions']).some(
    (condition) => condition['type'] === 'Ready' && condition['status'] === 'True',
  );
}

/** The first container that waits or has ended gives the word; later ones are overruled. */
function runProgress(pod: ApiObject, phase: string): Progress {
  let text = phase;
  let restarts = 0;
  let ready = 0;
  for (const status of asObjects(statusOf(pod)['containerStatuses']).toReversed()) {
    restarts += asNumber(status['restartCount']);
    const { waiting, terminated, running } = asObject(status['state']);
    const reason = asText(asObject(waiting)['reason']);
    if (reason !== '') text = reason;
    else if (terminated !== undefined) text = endText(asObject(terminated));
    else if (status['ready'] === true && running !== undefined) ready++;
  }
  // Some containers have done their work while others still do theirs.
  if (text === 'Completed' && ready > 0) text = isReady(pod) ? 'Running' : 'NotReady';
  return { text, restarts, ready };
}

function lastRestartOf(pod: ApiObject, initializing: boolean): string | undefined {
  const status = statusOf(pod);
  const lists = initializing ? ['initContainerStatuses'] : ['initContainerStatuses', 'containerStatuses'];
  const ends = lists
    .flatMap((list) => asObjects(status[list]))
    .map((container) => asText(asObject(asObject(container['lastState'])['terminated'])['finishedAt']))
    .filter((end) => end !== '');
  // Times of one form compare as text.
  return ends.sort().at(-1);
}

/** The state of a pod as people expect it in the Status column (facts: table cells of pods). */
export function podState(pod: ApiObject): PodState {
  const status = statusOf(pod);
  const reason = asText(status['reason']);
  const init = initProgress(pod);
  const progress = init ?? runProgress(pod, reason || asText(status['phase']));
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
