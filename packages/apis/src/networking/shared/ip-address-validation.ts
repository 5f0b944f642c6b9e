import { SocketAddress } from 'node:net';
import { type ApiObject, type FieldError, fieldError, ip } from '@orch/machinery';

/** An address has one name only: its shortest form. */
export function validateIpAddress({ metadata }: ApiObject): readonly FieldError[] {
  const name = metadata.name ?? '';
  const at = 'metadata.name';
  const wrong = ip(name);
  if (wrong !== undefined) return [fieldError.invalid(at, name, wrong)];
  const { address } = new SocketAddress({ address: name, family: name.includes(':') ? 'ipv6' : 'ipv4' });
  return address === name
    ? []
    : [fieldError.invalid(at, name, `must be in canonical form (${JSON.stringify(address)})`)];
}
