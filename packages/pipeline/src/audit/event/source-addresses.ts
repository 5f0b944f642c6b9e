import { isIP } from 'node:net';
import type { ApiRequest } from '@orch/request';

/** Maximum length of the recorded chain, which clients may send. */
const MAX_ADDRESSES = 32;

/**
 * Source addresses of a request: those that proxies report, in their order, and the address of the connection last,
 * which is the only one that clients cannot forge.
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
