import { type LookupAddress, type LookupAllOptions, lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Reports whether this server connects to an IP address. */
export type AcceptsAddress = (host: string) => boolean;

/** Resolves a name to all of its addresses. */
export type ResolveName = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Resolves names to addresses that `isAllowed` accepts only. A name with a forbidden address is refused. */
export const checkedLookup =
  (isAllowed: AcceptsAddress, resolve: ResolveName = resolveName): LookupFunction =>
  (name, options, callback) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '');
        return;
      }
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => !isAllowed(address))) {
        callback(new Error('address not allowed'), '');
        return;
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
