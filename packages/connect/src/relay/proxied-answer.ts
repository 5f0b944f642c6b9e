import type { Fields } from '@orch/outbound';
import type { HeaderList } from '@orch/request';
import { connectionOptions, hopByHop } from './forwarded.ts';
import { type ProxiedTarget, rewriteCookie, rewriteReference } from './links.ts';

/**
 * Header fields of backends that are not passed on: those that this server writes itself, and those
 * with which one program would set policies for the whole origin.
 */
const dropped: ReadonlySet<string> = new Set([
  'accept-ch',
  'accept-ch-lifetime',
  'alt-svc',
  'audit-id',
  'clear-site-data',
  'content-length',
  'critical-ch',
  'date',
  'expect-ct',
  'nel',
  'origin-agent-cluster',
  'public-key-pins',
  'public-key-pins-report-only',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-login',
  'strict-transport-security',
  'use-as-dictionary',
  'x-content-type-options',
]);

/** Families of such fields: of cross-origin access, and of flow control in every naming. */
const droppedFamilies = /^(?:access-control-|x-[^-]+-pf-)/;

const isDropped = (name: string): boolean => dropped.has(name) || droppedFamilies.test(name);

/**
 * The header fields of an answer as the client receives them, without those about its length. Links and cookies are put
 * below the path of `target`, if there is one.
 */
export function proxiedFields(fields: Fields, target: ProxiedTarget | undefined): HeaderList {
  const options = connectionOptions(joinedValues(fields['connection']));
  const forwarded: Record<string, string | readonly string[]> = Object.create(null);
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined || hopByHop.has(name) || isDropped(name) || options.has(name)) continue;
    forwarded[written(name)] = rewritten(name, value, target);
  }
  return forwarded;
}

/** Fields with one value (RFC 9110): if a program repeats one, clients would disagree about the value. */
const single: ReadonlySet<string> = new Set([
  'age',
  'content-encoding',
  'content-language',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
]);

function rewritten(
  name: string,
  value: string | readonly string[],
  target: ProxiedTarget | undefined,
): string | readonly string[] {
  if (target === undefined && typeof value === 'string' && name !== 'set-cookie') return value;
  const values = typeof value === 'string' ? [value] : value;
  if (name === 'set-cookie')
    return target === undefined ? values : values.map((cookie) => rewriteCookie(cookie, target));
  if (!single.has(name)) return values.join(', ');
  const [first = ''] = values;
  const isLink = name === 'location' || name === 'content-location';
  return isLink && target !== undefined ? rewriteReference(first, target) : first;
}

/** The header fields of an upgrade reply. */
export const upgradeFields = (fields: Fields, target: ProxiedTarget | undefined): HeaderList => ({
  ...(target === undefined ? streamFields(fields) : proxiedFields(fields, target)),
  Connection: 'Upgrade',
  Upgrade: joinedValues(fields['upgrade']) ?? '',
});

/** For answers of node agents: only the fields that the protocol needs. */
function streamFields(fields: Fields): HeaderList {
  const forwarded: Record<string, string> = {};
  for (const name of [
    'x-stream-protocol-version',
    'sec-websocket-accept',
    'sec-websocket-extensions',
    'sec-websocket-protocol',
  ]) {
    const value = joinedValues(fields[name]);
    if (value !== undefined) forwarded[written(name)] = value;
  }
  return forwarded;
}

/** Repeated values joined into one. */
export const joinedValues = (value: string | readonly string[] | undefined): string | undefined =>
  value === undefined || typeof value === 'string' ? value : value.join(', ');

/** `content-type` → `Content-Type`. */
const written = (name: string): string => usual.get(name) ?? capitalized(name);

const capitalized = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

/** Names that most answers have. */
const usual: ReadonlyMap<string, string> = new Map(
  ['cache-control', 'content-encoding', 'content-type', 'etag', 'vary'].map((name) => [
    name,
    capitalized(name),
  ]),
);
