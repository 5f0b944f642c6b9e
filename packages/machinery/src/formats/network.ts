import { isIP } from 'node:net';
import type { TextFormat } from './text.ts';

const notAnAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** Scoped IPv6 literals (`fe80::1%eth0`) are not addresses here. */
const family = (value: string): 0 | 4 | 6 => {
  if (value.includes('%')) return 0;
  return isIP(value) as 0 | 4 | 6;
};

/** An IPv4 or IPv6 literal. */
export const ip: TextFormat = (value) => (family(value) === 0 ? notAnAddress : undefined);

/** An address with a prefix length, `10.0.0.0/8`. */
export const cidr: TextFormat = (value) => {
  const wrong = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
  const slash = value.indexOf('/');
  if (slash < 0) return wrong;
  const kind = family(value.slice(0, slash));
  const bits = value.slice(slash + 1);
  if (kind === 0 || !/^(?:0|[1-9][0-9]{0,2})$/.test(bits)) return wrong;
  return Number(bits) <= (kind === 4 ? 32 : 128) ? undefined : wrong;
};

/** The 16-bit groups of an IPv6 literal that `isIP` accepted. */
function ipv6Groups(value: string): number[] {
  const groups = (part: string): number[] =>
    part === ''
      ? []
      : part.split(':').flatMap((g) => {
          if (!g.includes('.')) return [Number.parseInt(g, 16)];
          const b = g.split('.').map(Number);
          return [((b[0] ?? 0) << 8) | (b[1] ?? 0), ((b[2] ?? 0) << 8) | (b[3] ?? 0)];
        });
  const gap = value.indexOf('::');
  if (gap < 0) return groups(value);
  const head = groups(value.slice(0, gap));
  const tail = groups(value.slice(gap + 2));
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function specialIpv4(bytes: readonly number[]): string | undefined {
  const [a = 0, b = 0, c = 0] = bytes;
  if (bytes.every((n) => n === 0)) return 'may not be unspecified (0.0.0.0)';
  if (a === 127) return 'may not be in the loopback range (127.0.0.0/8)';
  if (a === 169 && b === 254) return 'may not be in the link-local range (169.254.0.0/16)';
  if (a === 224 && b === 0 && c === 0) return 'may not be in the link-local multicast range (224.0.0.0/24)';
  return undefined;
}

function specialIpv6(groups: readonly number[]): string | undefined {
  const [first = 0] = groups;
  if (groups.slice(0, 5).every((g) => g === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return specialIpv4([high >> 8, high & 255, low >> 8, low & 255]);
  }
  if (groups.every((g) => g === 0)) return 'may not be unspecified (::)';
  if (groups.slice(0, 7).every((g) => g === 0) && groups[7] === 1)
    return 'may not be in the loopback range (::1/128)';
  if ((first & 0xffc0) === 0xfe80) return 'may not be in the link-local range (fe80::/10)';
  if ((first & 0xff0f) === 0xff02) return 'may not be in the link-local multicast range (ff02::/10)';
  return undefined;
}

/** An address that may be reached from elsewhere: not unspecified, loopback, link-local or link-local multicast. */
export const nonSpecialIp: TextFormat = (value) => {
  const kind = family(value);
  if (kind === 0) return notAnAddress;
  return kind === 4 ? specialIpv4(value.split('.').map(Number)) : specialIpv6(ipv6Groups(value));
};
