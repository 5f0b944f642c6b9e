import type { Pod } from '@orch/kinds/core';
import { errors, type FieldError, fieldError } from '@orch/machinery';
import { canonicalTime } from '@orch/machinery/time';
import { booleanParameter, integerParameter, type Query } from '@orch/request';
import { chosenContainer } from './containers.ts';
import { type LogStreams, streamProblems } from './log-streams.ts';

/** Path and query of a request to a node agent. */
export type AgentTarget = string;

const target = (path: readonly string[], query: URLSearchParams): AgentTarget => {
  const text = query.toString();
  return `/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
};

const pathOf = ({ metadata }: Pod): readonly [string, string] => [
  metadata.namespace ?? '',
  metadata.name ?? '',
];

/** `exec` and `attach`: streams as flags, and the command. */
export function streamTarget(verb: 'exec' | 'attach', pod: Pod, query: Query): AgentTarget {
  const container = chosenContainer(pod, query.get('container') ?? '');
  const parameters = new URLSearchParams();
  for (const [ours, theirs] of [
    ['stdin', 'input'],
    ['stdout', 'output'],
    ['stderr', 'error'],
    ['tty', 'tty'],
  ] as const) {
    if (booleanParameter(query, ours)) parameters.set(theirs, '1');
  }
  if (verb === 'exec') for (const word of query.all('command')) parameters.append('command', word);
  return target([verb, ...pathOf(pod), container], parameters);
}

/** `portforward`: WebSocket clients name the ports in the query, SPDY clients in each stream. */
export function portForwardTarget(pod: Pod, query: Query): AgentTarget {
  const ports = query.all('ports').flatMap((text) => text.split(','));
  for (const port of ports) {
    if (!/^[0-9]{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
      throw errors.badRequest(
        `parameter ports must contain port numbers, not ${JSON.stringify(port.slice(0, 64))}`,
      );
  }
  const parameters = new URLSearchParams();
  if (ports.length > 0) parameters.set('port', ports.join(','));
  return target(['portForward', ...pathOf(pod)], parameters);
}

/** A request for the log of a container. */
export interface LogRequest {
  readonly target: AgentTarget;
  readonly follow: boolean;
  /** Accept any certificate of the node agent. */
  readonly insecure: boolean;
}

/** `log`: 422 for options that contradict each other or are out of range. */
export function logRequest(pod: Pod, query: Query, streams: LogStreams = 'ignored'): LogRequest {
  const container = query.get('container') ?? '';
  const sinceSeconds = integerParameter(query, 'sinceSeconds');
  const tailLines = integerParameter(query, 'tailLines');
  const limitBytes = integerParameter(query, 'limitBytes');
  const sinceTime = sinceTimeOf(query);
  const stream = streams === 'ignored' ? undefined : query.get('stream');
  const problems: readonly FieldError[] = [
    ...(tailLines !== undefined && tailLines < 0
      ? [fieldError.invalid('tailLines', tailLines, 'must be greater than or equal to 0')]
      : []),
    ...atLeastOne('limitBytes', limitBytes),
    ...(sinceSeconds !== undefined && sinceTime !== undefined
      ? [fieldError.forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified')]
      : atLeastOne('sinceSeconds', sinceSeconds)),
    ...(stream === undefined ? [] : streamProblems(streams, stream, tailLines)),
  ];
  if (problems.length > 0) {
    throw errors.invalid({ group: '', kind: 'PodLogOptions', name: pod.metadata.name ?? '' }, problems);
  }
  const parameters = new URLSearchParams();
  const follow = booleanParameter(query, 'follow');
  for (const flag of ['follow', 'previous', 'timestamps']) {
    if (booleanParameter(query, flag)) parameters.set(flag, 'true');
  }
  for (const [name, value] of Object.entries({ sinceSeconds, sinceTime, tailLines, limitBytes, stream })) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return {
    target: target(['containerLogs', ...pathOf(pod), chosenContainer(pod, container)], parameters),
    follow,
    insecure: booleanParameter(query, 'insecureSkipTLSVerifyBackend'),
  };
}

const atLeastOne = (name: string, value: number | undefined): readonly FieldError[] =>
  value !== undefined && value < 1 ? [fieldError.invalid(name, value, 'must be greater than 0')] : [];

function sinceTimeOf(query: Query): string | undefined {
  const text = query.get('sinceTime');
  if (text === undefined || text === '') return undefined;
  const time = canonicalTime(text);
  if (time === undefined) {
    throw errors.badRequest(
      `parameter sinceTime must be an RFC 3339 time, not ${JSON.stringify(text.slice(0, 64))}`,
    );
  }
  return time;
}
