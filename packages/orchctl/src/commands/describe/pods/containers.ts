import type { kinds } from '@orch/client';
import type { Description } from '../text/description.ts';
import { timeText } from '../text/times.ts';
import {
  amount,
  goList,
  hostAndPort,
  orNone,
  quoted,
  sortedBy,
  sortedEntries,
  titleBool,
} from '../text/values.ts';
import { describeEnvironment, type FieldValue } from './environment.ts';

type Container = kinds.core.Container;
type State = kinds.core.ContainerState;
type Status = kinds.core.ContainerStatus;

/** The containers of a pod or template. */
export interface ContainerList {
  readonly title: string;
  readonly containers: readonly Container[];
  readonly statuses?: readonly Status[] | undefined;
  /** Values of fields of the pod; absent for templates. */
  readonly fieldValue?: FieldValue;
  /** Before the title; for templates. */
  readonly margin?: string;
}

export function describeContainers(out: Description, list: ContainerList): void {
  const { title, containers, statuses = [], margin = '' } = list;
  out.raw(`${margin}${title}:${containers.length === 0 ? ' <none>' : ''}\n`);
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    out.line(1, `${margin === '' ? '' : ' '}${container.name}:`);
    describeImage(out, container, status);
    describeWords(out, 'Command', container.command);
    describeWords(out, 'Args', container.args);
    if (status !== undefined) describeStatus(out, status);
    describeResources(out, 2, container.resources);
    describeProbes(out, container);
    describeEnvironment(out, container, list.fieldValue);
    describeMounts(out, container);
  }
}

function describeImage(
  out: Description,
  { image = '', ports = [], securityContext }: Container,
  status?: Status,
): void {
  if (status !== undefined) out.field(2, 'Container ID', status.containerID ?? '');
  out.field(2, 'Image', image);
  if (status !== undefined) out.field(2, 'Image ID', status.imageID);
  const some = ports.length > 1 ? 's' : '';
  const portText = (numberOf: (port: kinds.core.ContainerPort) => number): string =>
    orNone(ports.map((port) => `${numberOf(port)}/${port.protocol ?? ''}`).join(', '));
  out.field(
    2,
    `Port${some}`,
    portText(({ containerPort }) => containerPort),
  );
  out.field(
    2,
    `Host Port${some}`,
    portText(({ hostPort = 0 }) => hostPort),
  );
  const profile = securityContext?.seccompProfile;
  if (profile === undefined) return;
  out.field(2, 'SeccompProfile', profile.type);
  if (profile.type === 'Localhost') out.field(3, 'LocalhostProfile', profile.localhostProfile ?? '');
}

function describeWords(out: Description, title: string, words: readonly string[] = []): void {
  if (words.length === 0) return;
  out.line(2, `${title}:`);
  for (const line of words.flatMap((word) => word.split('\n'))) out.line(3, line);
}

function describeStatus(out: Description, { state, lastState, ready, restartCount }: Status): void {
  describeState(out, 'State', state);
  if (lastState?.terminated !== undefined) describeState(out, 'Last State', lastState);
  out.fields(2, { Ready: titleBool(ready), 'Restart Count': restartCount });
}

function describeState(out: Description, title: string, { running, waiting, terminated }: State = {}): void {
  if (running !== undefined) {
    out.field(2, title, 'Running');
    out.field(3, 'Started', timeText(running.startedAt));
  } else if (terminated !== undefined) {
    out.field(2, title, 'Terminated');
    if (terminated.reason) out.field(3, 'Reason', terminated.reason);
    if (terminated.message) out.field(3, 'Message', terminated.message);
    out.field(3, 'Exit Code', terminated.exitCode);
    if ((terminated.signal ?? 0) > 0) out.field(3, 'Signal', terminated.signal);
    out.fields(3, { Started: timeText(terminated.startedAt), Finished: timeText(terminated.finishedAt) });
  } else {
    out.field(2, title, 'Waiting');
    if (waiting?.reason) out.field(3, 'Reason', waiting.reason);
  }
}

/** Limits and requests. */
export function describeResources(
  out: Description,
  level: number,
  { limits, requests }: kinds.core.ResourceRequirements = {},
): void {
  for (const [title, amounts] of [
    ['Limits', limits],
    ['Requests', requests],
  ] as const) {
    const entries = sortedEntries(amounts);
    if (entries.length > 0) out.line(level, `${title}:`);
    for (const [name, quantity] of entries) out.field(level + 1, name, amount(quantity));
  }
}

function describeProbes(out: Description, { livenessProbe, readinessProbe, startupProbe }: Container): void {
  if (livenessProbe !== undefined) out.field(2, 'Liveness', probeText(livenessProbe));
  if (readinessProbe !== undefined) out.field(2, 'Readiness', probeText(readinessProbe));
  if (startupProbe !== undefined) out.field(2, 'Startup', probeText(startupProbe));
}

function describeMounts(out: Description, { volumeMounts = [], volumeDevices = [] }: Container): void {
  const none = volumeMounts.length === 0 ? '\t<none>' : '';
  out.line(2, `Mounts:${none}`);
  for (const { mountPath, name, readOnly, subPath } of sortedBy(volumeMounts, (mount) => mount.mountPath)) {
    const path = subPath === undefined || subPath === '' ? '' : `,path=${quoted(subPath)}`;
    out.line(3, `${mountPath} from ${name} (${readOnly === true ? 'ro' : 'rw'}${path})`);
  }
  if (volumeDevices.length === 0) return;
  out.line(2, `Devices:${none}`);
  for (const { devicePath, name } of sortedBy(volumeDevices, (device) => device.devicePath))
    out.line(3, `${devicePath} from ${name}`);
}

/** A probe in one line. */
function probeText(probe: kinds.core.Probe): string {
  const { initialDelaySeconds, timeoutSeconds, periodSeconds, successThreshold, failureThreshold } = probe;
  const times = `delay=${initialDelaySeconds ?? 0}s timeout=${timeoutSeconds ?? 0}s period=${periodSeconds ?? 0}s`;
  return `${actionText(probe)} ${times} #success=${successThreshold ?? 0} #failure=${failureThreshold ?? 0}`;
}

function actionText({ exec, httpGet, tcpSocket, grpc }: kinds.core.Probe): string {
  if (exec !== undefined) return `exec ${goList(exec.command)}`;
  if (httpGet !== undefined) {
    const { scheme = '', host = '', port, path = '' } = httpGet;
    const slash = path === '' || path.startsWith('/') ? '' : '/';
    return `http-get ${scheme.toLowerCase()}://${hostAndPort(host, String(port))}${slash}${encodeURI(path)}`;
  }
  if (tcpSocket !== undefined) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port}`;
  if (grpc !== undefined) return `grpc <pod>:${grpc.port} ${grpc.service ?? ''}`;
  return 'unknown';
}
