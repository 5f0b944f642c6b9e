import { isIP } from 'node:net';
import { ipBytes } from '@orch/machinery/net';
import { DerError, DerReader, tags } from './der-reader.ts';
import { implicit, sequence } from './der-writer.ts';

/** The kinds of alternative names that certificates of a cluster have. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  /** 4 or 16 bytes each, in network order. */
  readonly ipAddresses: readonly Buffer[];
  /** Number of names of other kinds; these are not parsed and never issued. */
  readonly others: number;
}

/** The same while it is read. */
export interface FoundNames extends AlternativeNames {
  readonly dnsNames: string[];
  readonly emailAddresses: string[];
  readonly uris: string[];
  readonly ipAddresses: Buffer[];
  others: number;
}

/** `[number]` of the alternatives of GeneralName (RFC 5280, 4.2.1.6). */
const choices = { email: 1, dns: 2, uri: 6, ip: 7 } as const;

const tagOf = (choice: keyof typeof choices): number => 0x80 | choices[choice];

/** Adds the names of an extension to those found before; names of other kinds are skipped. */
export function readAlternativeNames(bytes: Buffer, found: FoundNames): void {
  const outer = new DerReader(bytes);
  const names = outer.enter(tags.sequence, 'alternative names');
  outer.end('alternative names');
  while (names.more()) {
    const { tag, content } = names.next();
    if (tag === tagOf('email')) found.emailAddresses.push(content.toString('latin1'));
    else if (tag === tagOf('dns')) found.dnsNames.push(content.toString('latin1'));
    else if (tag === tagOf('uri')) found.uris.push(content.toString('latin1'));
    else if (tag === tagOf('ip')) {
      if (content.length !== 4 && content.length !== 16) {
        throw new DerError(`an IP address of ${content.length} bytes`);
      }
      found.ipAddresses.push(Buffer.from(content));
    } else found.others++;
  }
}

/** The value of the extension. Text must be ASCII. */
export const encodeAlternativeNames = (names: AlternativeNames): Buffer =>
  sequence(
    ...names.dnsNames.map((name) => implicit(choices.dns, Buffer.from(name, 'ascii'))),
    ...names.emailAddresses.map((address) => implicit(choices.email, Buffer.from(address, 'ascii'))),
    ...names.ipAddresses.map((address) => implicit(choices.ip, address)),
    ...names.uris.map((uri) => implicit(choices.uri, Buffer.from(uri, 'ascii'))),
  );

/** Alternative names of the matching kind for host names and addresses. */
export const alternativeNamesOf = (hosts: readonly string[]): AlternativeNames => ({
  dnsNames: hosts.filter((host) => isIP(host) === 0),
  emailAddresses: [],
  uris: [],
  ipAddresses: hosts.flatMap((host) => ipBytes(host) ?? []),
  others: 0,
});
