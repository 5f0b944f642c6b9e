import { isIP } from 'node:net';
import type { ApiRequest } from '@orch/request';

/** Longest chain that is written down: what clients send is as long as they like. */
const MAX_ADDRESSES = 32;

/**
 * Where a request came from: what proxies say of it, in their order, and last the address that the connection has, the
 * only one that nobody can make up.
 */
export function sourceAddresses({ headers, remoteAddress }: ApiRequest): readonly string[] {
  const chain = textOf(headers['x-forwarded-for'])
    .split(',', MAX_ADDRESSES)
    .map((part) => part.trim())
    .filter((part) => isIP(part) !== 0);
  const real = textOf(headers['x-real-ip']).trim();
  if (isIP(real) !== 0 && !chain.includes(real)) chain.push(real);
  const remote = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
  if (isIP(remote) !== 0 && chain.at(-1) !== remote) chain.push(remote);
  return chain;
}

const textOf = (value: string | string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.join(',') ?? '');
