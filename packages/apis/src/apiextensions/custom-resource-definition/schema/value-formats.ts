import { cidr, ip, parseTime } from '@orch/machinery';

const isIpOf =
  (family: 4 | 6) =>
  (text: string): boolean =>
    ip(text) === undefined && text.includes(':') === (family === 6);

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  byte: (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  cidr: (text) => cidr(text) === undefined,
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseTime(`${text}T00:00:00Z`) !== undefined,
  'date-time': (text) => parseTime(text) !== undefined,
  ipv4: isIpOf(4),
  ipv6: isIpOf(6),
  uuid: (text) => /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text),
};

/** What is wrong with a string of a format; formats that are not known have no effect. */
export function formatProblem(format: string, text: string): string | undefined {
  const accepts = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return accepts === undefined || accepts(text) ? undefined : `must be of type ${format}`;
}
