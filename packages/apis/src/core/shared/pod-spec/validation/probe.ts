import type { Container, HTTPGetAction, LifecycleHandler, Probe, TCPSocketAction } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkExactlyOne, checkFormat, checkPort } from '../../../../validation-rules.ts';

/** The actions in the order in which a second one is reported. */
export const lifecycleHandlers = ['exec', 'httpGet', 'tcpSocket', 'sleep'] as const;
export const probeHandlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

/** Checks that a lifecycle handler has exactly one action. */
export const checkLifecycleHandler: Check<LifecycleHandler> = (handler, { path }) =>
  checkExactlyOne(path, handler, lifecycleHandlers, 'handler type');

/** Checks that a probe has exactly one action. */
export const checkProbeHandler: Check<Probe> = (probe, { path }) =>
  checkExactlyOne(path, probe, probeHandlers, 'handler type');

/** Checks the port, headers and protocol of an HTTP request; errors of headers name the list. */
export const checkHttpGet: Check<HTTPGetAction> = (action, { path }) => [
  ...checkPort(`${path}.port`, action.port),
  ...(action.httpHeaders ?? []).flatMap((header) =>
    checkFormat('httpHeaderName', `${path}.httpHeaders`, header.name ?? ''),
  ),
  ...checkProtocol(path, action),
];

/** HTTP/2 without negotiation is possible only without TLS, and with the pod itself. */
function checkProtocol(path: string, { protocol, scheme, host = '' }: HTTPGetAction): readonly FieldError[] {
  if (protocol !== 'HTTP2') return [];
  if (scheme !== 'HTTP')
    return [fieldError.invalid(`${path}.protocol`, protocol, 'must not be HTTP2 unless scheme is HTTP')];
  return host === '' ? [] : [fieldError.invalid(`${path}.host`, host, 'must be empty if protocol is HTTP2')];
}

export const checkTcpSocket: Check<TCPSocketAction> = (action, { path }) =>
  checkPort(`${path}.port`, action.port);

/** Checks the rules of probes that depend on their purpose. */
export function checkProbesOf(path: string, container: Container): readonly FieldError[] {
  return (['livenessProbe', 'readinessProbe', 'startupProbe'] as const).flatMap((name) => {
    const probe = container[name] ?? {};
    const at = `${path}.${name}`;
    const errors: FieldError[] = [];
    const { successThreshold, terminationGracePeriodSeconds: grace } = probe;
    if (name !== 'readinessProbe' && successThreshold !== undefined && successThreshold !== 1) {
      errors.push(fieldError.invalid(`${at}.successThreshold`, successThreshold, 'must be 1'));
    }
    if (grace === undefined) return errors;
    if (name === 'readinessProbe') {
      errors.push(
        fieldError.invalid(
          `${at}.terminationGracePeriodSeconds`,
          grace,
          'must not be set for readinessProbes',
        ),
      );
    } else if (typeof grace === 'number' && grace <= 0) {
      errors.push(fieldError.invalid(`${at}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
    }
    return errors;
  });
}
