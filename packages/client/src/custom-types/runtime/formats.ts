type Accepts = (text: string) => boolean;

const isIpv4 = (text: string): boolean =>
  /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);

/** Octets may have leading zeros. */
const isOldIpv4 = (text: string): boolean => isIpv4(text.replace(/(^|\.)0+(?=\d)/g, '$1'));

function isIpv6(text: string): boolean {
  const [head = '', ...tails] = text.split('::');
  if (tails.length > 1) return false;
  const [tail] = tails;
  const groups = [head, ...tails].flatMap((part) => (part === '' ? [] : part.split(':')));
  const last = groups.at(-1) ?? '';
  const isMixed = last.includes('.');
  if (isMixed && (!isIpv4(last) || tail === '')) return false;
  const words = isMixed ? groups.slice(0, -1) : groups;
  const count = words.length + (isMixed ? 2 : 0);
  return (
    words.every((word) => /^[0-9a-f]{1,4}$/i.test(word)) && (tail === undefined ? count === 8 : count < 8)
  );
}

/** Words and octets may have leading zeros. */
const isOldIpv6 = (text: string): boolean =>
  isIpv6(text.includes('.') ? text.replace(/(^|[.:])0+(?=\d+(\.|$))/g, '$1') : text);

const isIpv4Address: Accepts = (text) =>
  text.length <= 256 && text.includes('.') && (text.includes(':') ? isOldIpv6(text) : isOldIpv4(text));

const isIpv6Address: Accepts = (text) => text.includes(':') && isIpv6(text);

const isCidr: Accepts = (text) => {
  const [, address = '', bits = ''] = /^(.*)\/(\d{1,3})$/.exec(text) ?? [];
  const isSix = address.includes(':');
  return (
    address.length <= 256 &&
    (isSix ? isOldIpv6(address) : isOldIpv4(address)) &&
    Number(bits) <= (isSix ? 128 : 32)
  );
};

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

const hostname =
  /^([a-z0-9\p{S}\p{L}](-?[a-z0-9\p{S}\p{L}]{0,62})?|([a-z0-9\p{S}\p{L}](([a-z0-9\-\p{S}\p{L}]{0,61}[a-z0-9\p{S}\p{L}])?)\.)+([a-z\p{L}]){2,63})$/iu;

const isHostname: Accepts = (text) =>
  bytesOf(text) <= 255 && hostname.test(text) && text.split('.').every((label) => bytesOf(label) <= 63);

const address =
  /^(?:[^\s()<>[\]:;@\\,."]+(?:\.[^\s()<>[\]:;@\\,."]+)*|"(?:[^"\\]|\\.)*")@(?:[^\s()<>[\]:;@\\,."]+(?:\.[^\s()<>[\]:;@\\,."]+)*|\[[^\]]+\])$/u;

/** An address, or a name with an address in angle brackets. */
const isEmail: Accepts = (text) => {
  const trimmed = text.trim();
  const open = trimmed.lastIndexOf('<');
  if (open < 0) return address.test(trimmed);
  return trimmed.endsWith('>') && address.test(trimmed.slice(open + 1, -1).trim());
};

const isUuid: Accepts = (text) =>
  /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text);
const isUuid3: Accepts = (text) =>
  /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text);
const isUuid4: Accepts = (text) =>
  /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text);
const isUuid5: Accepts = (text) =>
  /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text);

const isIsbn10: Accepts = (text) => {
  const code = text.replace(/[\s-]+/g, '');
  const sum = [...code].reduce(
    (total, digit, i) => total + (i + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return /^\d{9}[\dX]$/.test(code) && sum % 11 === 0;
};

const isIsbn13: Accepts = (text) => {
  const code = text.replace(/[\s-]+/g, '');
  const sum = [...code].reduce((total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return /^\d{13}$/.test(code) && sum % 10 === 0;
};

const isIsbn: Accepts = (text) => isIsbn10(text) || isIsbn13(text);

const card =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

const isCreditCard: Accepts = (text) => {
  const number = text.replace(/\D+/g, '');
  const doubled = (digit: number): number => (digit > 4 ? 2 * digit - 9 : 2 * digit);
  const digits = [...number].map(Number).reverse();
  const sum = digits.reduce((total, digit, i) => total + (i % 2 === 0 ? digit : doubled(digit)), 0);
  return card.test(number) && sum % 10 === 0;
};

const isDate: Accepts = (text) => {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const isLeap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
  const last = m === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(m) ? 30 : 31;
  return year !== '' && m >= 1 && m <= 12 && d >= 1 && d <= last;
};

const clock = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|[+-]\d{2}:\d{2})$/;

const isDateTime: Accepts = (text) => {
  const [date = '', time] = text.toLowerCase().split('t');
  return time !== undefined && isDate(date) && clock.test(time);
};

const authority =
  /^(?:[\w.~!$&'()*+,;=:%@-]*@)?(?:\[[^\s\]]*\]|[\w.~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}-]*?)(?::\d*)?$/u;

/** An absolute URI, or an absolute path. */
const isUri: Accepts = (text) => {
  const [beforeQuery = ''] = text.split('?', 1);
  if (/\p{Cc}/u.test(text.replace(/[\u0080-\u009f]/g, '')) || /%(?![0-9a-f]{2})/i.test(beforeQuery))
    return false;
  const rest = beforeQuery.replace(/^[a-z][a-z0-9+.-]*:/i, '');
  if (!rest.startsWith('/')) return rest !== beforeQuery;
  if (rest === beforeQuery || !rest.startsWith('//')) return true;
  const [host = ''] = rest.slice(2).split('/', 1);
  return authority.test(host);
};

/** Addresses of 6, 8 and 20 bytes. */
const isMac: Accepts = (text) =>
  /^(?:[0-9a-f]{2}([:-])[0-9a-f]{2}(?:(?:\1[0-9a-f]{2}){4}|(?:\1[0-9a-f]{2}){6}|(?:\1[0-9a-f]{2}){18})|[0-9a-f]{4}(?:(?:\.[0-9a-f]{4}){2}|(?:\.[0-9a-f]{4}){3}|(?:\.[0-9a-f]{4}){9}))$/i.test(
    text,
  );

const isObjectId: Accepts = (text) => /^[0-9a-f]{24}$/i.test(text);
const isSsn: Accepts = (text) => /^(?=.{11}$)\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text);
const isHexColor: Accepts = (text) => /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text);
const isRgbColor: Accepts = (text) =>
  /^rgb\((?:\s*(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\s*(?:,(?!\))|(?=\)))){3}\)$/.test(text);
const isBase64: Accepts = (text) =>
  text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
const isAnyText: Accepts = () => true;

const isGoDuration: Accepts = (text) => {
  const nanos: Readonly<Record<string, number>> = {
    n: 1,
    u: 1e3,
    µ: 1e3,
    μ: 1e3,
    ms: 1e6,
    s: 1e9,
    m: 6e10,
    h: 3.6e12,
  };
  if (
    text.length > 128 ||
    !/^[+-]?(?:0|(?:(?:\d{1,20}(?:\.\d{0,30})?|\.\d{1,30})(?:[nuµμ]s|ms|[smh]))+)$/.test(text)
  )
    return false;
  const parts = [...text.matchAll(/([\d.]+)([nuµμ]|ms|[smh])/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (nanos[unit] ?? 0), 0) < 2 ** 63;
};

/** A duration as Go writes it, or numbers with names of units: `1d`, `2 weeks`. */
const isDuration: Accepts = (text) => {
  if (isGoDuration(text)) return true;
  const parts = [...text.matchAll(/(?<!\d)(\d+)\s*([A-Za-zµ]+)/g)].map(
    ([, count = '', unit = '']) => [count, unit] as const,
  );
  const isUnit = (unit: string): boolean =>
    /^(?:ns|us|µs|ms|s|m|h|hr|d|w|wk)$|^(?:nano|micro|milli|sec|min|hour|day|week)/.test(unit.toLowerCase());
  return parts.every(([count]) => Number(count) < 2 ** 63) && parts.some(([, unit]) => isUnit(unit));
};

/** The tests of the formats of strings, whose names are without dashes. Other formats have no effect on strings. */
export const formats: Readonly<Record<string, Accepts>> = {
  bsonobjectid: isObjectId,
  byte: isBase64,
  cidr: isCidr,
  creditcard: isCreditCard,
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  email: isEmail,
  hexcolor: isHexColor,
  hostname: isHostname,
  ipv4: isIpv4Address,
  ipv6: isIpv6Address,
  isbn: isIsbn,
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  mac: isMac,
  password: isAnyText,
  rgbcolor: isRgbColor,
  ssn: isSsn,
  uri: isUri,
  uuid: isUuid,
  uuid3: isUuid3,
  uuid4: isUuid4,
  uuid5: isUuid5,
};
