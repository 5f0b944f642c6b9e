import type { LifecycleHandler, Probe } from '@orch/kinds/core';
import type { AnyContainer } from '../../shared/pods.ts';
import {
  type Check,
  containersWhere,
  listed,
  plural,
  quoted,
  settersText,
  sortedSet,
  violation,
} from './check.ts';

/** Checks that no namespaces of the host are used. */
export const hostNamespaces: Check = ({ spec }) =>
  violation(
    'host namespaces',
    (['hostNetwork', 'hostPID', 'hostIPC'] as const)
      .filter((field) => spec[field] === true)
      .map((field) => `${field}=true`)
      .join(', '),
  );

/** Checks that no files of the host are used. */
export const hostPathVolumes: Check = ({ spec }) => {
  const volumes = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined);
  const names = volumes.map(({ name = '' }) => name);
  return violation('hostPath volumes', names.length === 0 ? '' : listed('volume', names));
};

const hostPortsOf = ({ ports = [] }: AnyContainer): readonly string[] =>
  ports.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : String(hostPort)));

/** Checks that no ports of the host are used. */
export const hostPorts: Check = (pod) => {
  const names = containersWhere(pod, (container) => hostPortsOf(container).length > 0);
  if (names.length === 0) return undefined;
  const ports = sortedSet(pod.containers.flatMap(hostPortsOf));
  const uses = plural(names.length, 'uses', 'use');
  return {
    reason: 'hostPort',
    detail: `${listed('container', names)} ${uses} ${plural(ports.length, 'hostPort')} ${ports.join(', ')}`,
  };
};

const hostsIn = ({ httpGet, tcpSocket }: Probe | LifecycleHandler = {}): readonly string[] =>
  [httpGet?.host ?? '', tcpSocket?.host ?? ''].filter((host) => host !== '');

const probedHosts = (container: AnyContainer): readonly string[] => [
  ...hostsIn(container.livenessProbe),
  ...hostsIn(container.readinessProbe),
  ...hostsIn(container.startupProbe),
  ...hostsIn(container.lifecycle?.postStart),
  ...hostsIn(container.lifecycle?.preStop),
];

/** Checks that probes and handlers, which the node agent executes, connect to the pod only. */
export const hostProbes: Check = (pod) => {
  const names = sortedSet(containersWhere(pod, (container) => probedHosts(container).length > 0));
  if (names.length === 0) return undefined;
  const hosts = sortedSet(pod.containers.flatMap(probedHosts));
  const uses = `${plural(names.length, 'uses', 'use')} ${plural(hosts.length, 'probe or lifecycle host')}`;
  return {
    reason: 'probe or lifecycle host',
    detail: `${listed('container', names)} ${uses} ${quoted(hosts)}`,
  };
};

/** Checks that no Windows processes run on the host. */
export const windowsHostProcess: Check = (pod) => {
  const setters = settersText(
    pod.spec.securityContext?.windowsOptions?.hostProcess === true,
    containersWhere(pod, (c) => c.securityContext?.windowsOptions?.hostProcess === true),
  );
  return violation(
    'hostProcess',
    setters && `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
  );
};
