import { isIP } from 'node:net';
import { UsageError } from './flags/index.ts';

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** Checks an address to serve on. Throws `UsageError`. */
export function checkAddress(flag: string, address: string): string {
  if (isIP(address) === 0)
    throw new UsageError(`invalid value ${JSON.stringify(address)} for --${flag}: must be an IP address`);
  return address;
}

/** Reads `127.0.0.1:8080`, `[::1]:8080` or `:8080`. Throws `UsageError`. */
export function readHostPort(flag: string, text: string): HostPort {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? '';
  const port = Number(match?.[3]);
  if (match === null || port > 65_535 || (host !== '' && host !== 'localhost' && isIP(host) === 0)) {
    throw new UsageError(
      `invalid value ${JSON.stringify(text)} for --${flag}: must be an address and a port such as 127.0.0.1:8080`,
    );
  }
  return { host: host === '' ? '0.0.0.0' : host, port };
}
