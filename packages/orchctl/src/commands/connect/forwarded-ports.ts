import { UsageError } from '@orch/program/flags';
import { CommandError } from '../../command-error.ts';
import type { NamedObject, Pod } from './pods.ts';

/** One pair of ports. */
export interface ForwardedPort {
  /** 0 for any free port. */
  readonly local: number;
  readonly remote: number;
}

/**
 * Parses `REMOTE`, `LOCAL:REMOTE`, `:REMOTE` and `0:REMOTE`. Ports of a service become those of the pod, and names of ports
 * become numbers. Throws `UsageError` for other strings and `CommandError` for ports that do not exist.
 */
export function forwardedPort(text: string, { kind, object }: NamedObject, pod: Pod): ForwardedPort {
  const [first = '', second, ...more] = text.split(':');
  const remoteText = second ?? first;
  if (more.length > 0 || remoteText === '')
    throw new UsageError(`invalid port format ${JSON.stringify(text)}`);
  const remote = kind === 'Service' ? servicePort(remoteText, object, pod) : podPort(remoteText, pod);
  // A port alone means the same port on both sides.
  if (second === undefined && !isNumber(first)) return { local: remote, remote };
  return { local: first === '' ? 0 : localPort(first, text), remote };
}

const isNumber = (text: string): boolean => /^\d{1,5}$/.test(text);

function localPort(text: string, whole: string): number {
  const port = isNumber(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) throw new UsageError(`invalid local port in ${JSON.stringify(whole)}`);
  return port;
}

function podPort(text: string, pod: Pod): number {
  if (!isNumber(text)) return namedPort(text, pod);
  const port = Number(text);
  if (port < 1 || port > 65_535)
    throw new UsageError(`remote port must be between 1 and 65535, not ${JSON.stringify(text)}`);
  return port;
}

function namedPort(name: string, { metadata, spec }: Pod): number {
  const ports = (spec?.containers ?? []).flatMap(({ ports = [] }) => ports);
  const found = ports.find((port) => port.name === name)?.containerPort;
  if (found === undefined)
    throw new CommandError(`pod ${metadata.name} does not have a port named ${JSON.stringify(name)}`);
  return found;
}

interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly targetPort?: number | string;
}

function servicePort(text: string, object: NamedObject['object'], pod: Pod): number {
  const { ports = [] } =
    (object as { readonly spec?: { readonly ports?: readonly ServicePort[] } }).spec ?? {};
  const found = ports.find(({ name, port }) => (isNumber(text) ? port === Number(text) : name === text));
  if (found === undefined)
    throw new CommandError(
      `Service ${object.metadata.name} does not have a service port ${isNumber(text) ? text : JSON.stringify(text)}`,
    );
  return podPort(String(found.targetPort ?? found.port), pod);
}
