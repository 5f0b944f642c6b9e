import type { LoadBalancerStatus } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { CheckContext } from '@orch/schema';
import { addressFormatIn, isAddressInDigits } from '../../../address-formats.ts';
import { checkFormat } from '../../../validation-rules.ts';

const modes = ['Proxy', 'VIP'];

/** An address has a mode, a name has none. */
function checkMode(path: string, address: string, mode: string | undefined): readonly FieldError[] {
  if (mode === undefined) return [];
  if (address === '') return [fieldError.forbidden(path, 'may not be specified when `ip` is not set')];
  return modes.includes(mode) ? [] : [fieldError.notSupported(path, mode, modes)];
}

interface Stored extends Pick<CheckContext, 'since'> {
  readonly old: LoadBalancerStatus | undefined;
}

/** Checks the load balancer status of services and ingresses. It keeps the addresses that it has. */
export function checkLoadBalancer(
  path: string,
  status: LoadBalancerStatus,
  { old, since }: Stored,
): readonly FieldError[] {
  const kept = new Set(old?.ingress?.map((ingress) => ingress.ip));
  const format = addressFormatIn(since);
  return (status.ingress ?? []).flatMap((ingress, i) => {
    const at = `${path}.ingress[${i}]`;
    const address = ingress.ip ?? '';
    const hostname = ingress.hostname ?? '';
    const errors = [
      ...(address === '' ? [] : checkFormat(kept.has(address) ? 'ip' : format, `${at}.ip`, address)),
      ...checkMode(`${at}.ipMode`, address, ingress.ipMode),
    ];
    if (hostname === '') return errors;
    errors.push(...checkFormat('dns1123subdomain', `${at}.hostname`, hostname));
    if (isAddressInDigits(hostname)) {
      errors.push(fieldError.invalid(`${at}.hostname`, hostname, 'must be a DNS name, not an IP address'));
    }
    return errors;
  });
}
