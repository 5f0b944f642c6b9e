import { parseIp } from '@orch/machinery/net';
import { parseNamedDuration, parseTime } from '@orch/machinery/time';
import type { StructuralSchema } from '../structural-schema.ts';

type Accepts = (text: string) => boolean;

const matches =
  (pattern: RegExp): Accepts =>
  (text) =>
    pattern.test(text);

/** Octets may have leading zeros: such addresses were accepted once, and stored objects hold them. */
const withoutLeadingZeros = (address: string): string => address.replace(/(^|[.:])0+(?=\d+(\.|$))/g, '$1');

/** No address is longer, even with leading zeros: removing those takes time quadratic in the length. */
const MAX_ADDRESS = 256;

const isAddress = (text: string): boolean =>
  text.length <= MAX_ADDRESS && parseIp(text.includes('.') ? withoutLeadingZeros(text) : text) !== undefined;

function isCidr(text: string): boolean {
  const slash = text.lastIndexOf('/');
  const address = text.slice(0, slash);
  const bits = text.slice(slash + 1);
  if (slash < 0 || !/^\d{1,3}$/.test(bits)) return false;
  return isAddress(address) && Number(bits) <= (address.includes(':') ? 128 : 32);
}

const hostname =
  /^([a-z0-9\p{S}\p{L}](-?[a-z0-9\p{S}\p{L}]{0,62})?|([a-z0-9\p{S}\p{L}](([a-z0-9\-\p{S}\p{L}]{0,61}[a-z0-9\p{S}\p{L}])?)\.)+([a-z\p{L}]){2,63})$/iu;

const isHostname: Accepts = (text) =>
  Buffer.byteLength(text) <= 255 &&
  hostname.test(text) &&
  text.split('.').every((label) => Buffer.byteLength(label) <= 63);

const atom = '[^\\s()<>\\[\\]:;@\\\\,."]+';
const address = new RegExp(
  `^(?:${atom}(?:\\.${atom})*|"(?:[^"\\\\]|\\\\.)*")@(?:${atom}(?:\\.${atom})*|\\[[^\\]]+\\])$`,
  'u',
);

/** An address, or a name with an address in angle brackets. */
function isEmail(text: string): boolean {
  const trimmed = text.trim();
  const open = trimmed.lastIndexOf('<');
  if (open < 0) return address.test(trimmed);
  return trimmed.endsWith('>') && address.test(trimmed.slice(open + 1, -1).trim());
}

const isHex = (version: string, variant: string): Accepts =>
  matches(
    new RegExp(
      `^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{${version === '' ? 4 : 3}}-?${variant}[0-9a-f]{${variant === '' ? 4 : 3}}-?[0-9a-f]{12}$`,
      'i',
    ),
  );

const digitsOf = (text: string): number[] => [...text].map(Number);

function isIsbn10(text: string): boolean {
  const code = text.replace(/[\s-]+/g, '');
  if (!/^\d{9}[\dX]$/.test(code)) return false;
  const values = [...code].map((digit) => (digit === 'X' ? 10 : Number(digit)));
  return values.reduce((sum, value, i) => sum + (i + 1) * value, 0) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const code = text.replace(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(code)) return false;
  return digitsOf(code).reduce((sum, digit, i) => sum + (i % 2 === 0 ? 1 : 3) * digit, 0) % 10 === 0;
}

const card =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const number = text.replace(/\D+/g, '');
  if (!card.test(number)) return false;
  const sum = digitsOf(number)
    .reverse()
    .reduce((total, digit, i) => total + (i % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit), 0);
  return sum % 10 === 0;
}

const isDate: Accepts = (text) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && parseTime(`${text}T00:00:00Z`) !== undefined;

const clock = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/;

/** The time zone is not checked for sense, and a leap second is none. */
function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  return time !== undefined && isDate(date) && clock.test(time);
}

const isDuration = (text: string): boolean => parseNamedDuration(text) !== undefined;

const authority =
  /^(?:[\w.~!$&'()*+,;=:%@-]*@)?(?:\[[^\s\]]*\]|[\w.~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}-]*?)(?::\d*)?$/u;

/** An absolute URI, or an absolute path, as in the first line of a request. */
function isUri(text: string): boolean {
  const [beforeQuery = ''] = text.split('?', 1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
  if (/[\u0000-\u001f\u007f]/.test(text) || /%(?![0-9a-f]{2})/i.test(beforeQuery)) return false;
  const rest = beforeQuery.replace(/^[a-z][a-z0-9+.-]*:/i, '');
  if (!rest.startsWith('/')) return rest !== beforeQuery;
  if (rest === beforeQuery || !rest.startsWith('//')) return true;
  const [host = ''] = rest.slice(2).split('/', 1);
  return authority.test(host);
}

const hexByte = '[0-9a-f]{2}';
const hexWord = '[0-9a-f]{4}';

/** Addresses of 6, 8 and 20 bytes. */
const isMac: Accepts = matches(
  new RegExp(
    `^(?:${hexByte}([:-])${hexByte}(?:(?:\\1${hexByte}){4}|(?:\\1${hexByte}){6}|(?:\\1${hexByte}){18})|${hexWord}(?:(?:\\.${hexWord}){2}|(?:\\.${hexWord}){3}|(?:\\.${hexWord}){9}))$`,
    'i',
  ),
);

const octet = '\\s*(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])\\s*';

const formats: Readonly<Record<string, Accepts>> = {
  bsonobjectid: matches(/^[0-9a-f]{24}$/i),
  uri: isUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => text.includes('.') && isAddress(text),
  ipv6: (text) => text.includes(':') && parseIp(text) !== undefined,
  cidr: isCidr,
  mac: isMac,
  uuid: isHex('', ''),
  uuid3: isHex('3', ''),
  uuid4: isHex('4', '[89ab]'),
  uuid5: isHex('5', '[89ab]'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matches(/^(?=.{11}$)\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: matches(new RegExp(`^rgb\\(${octet},${octet},${octet}\\)$`)),
  byte: (text) => text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
};

/**
 * The test of a string format by its name in schemas (`date-time` and `datetime` are equivalent); undefined for unknown
 * formats, which have no effect.
 */
export function formatTest(format: string): Accepts | undefined {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(formats, name) ? formats[name] : undefined;
}

/** Formats of numbers, which take the place of the type in messages; their ranges are checked with the values. */
const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** The format as far as it has an effect: formats of strings have none where another type is declared. */
export function effectiveFormat({ rules = {}, type = 'string' }: StructuralSchema): string | undefined {
  const { format } = rules;
  if (format === undefined) return undefined;
  const isEffective =
    type === 'string' ? formatTest(format) !== undefined : numberFormats[type]?.includes(format) === true;
  return isEffective ? format : undefined;
}
