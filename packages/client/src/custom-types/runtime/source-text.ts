// Generated from the other files of this folder by scripts/generate-validator-text.ts: `make fix`.

/** The source of validators. */
export const sourceText = `type Accepts = (text: string) => boolean;

const isIpv4 = (text: string): boolean =>
  /^(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!$)|$)){4}$/.test(text);

/** Octets may have leading zeros. */
const isOldIpv4 = (text: string): boolean => isIpv4(text.replace(/(^|\\.)0+(?=\\d)/g, '$1'));

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
  isIpv6(text.includes('.') ? text.replace(/(^|[.:])0+(?=\\d+(\\.|$))/g, '$1') : text);

const isIpv4Address: Accepts = (text) =>
  text.length <= 256 && text.includes('.') && (text.includes(':') ? isOldIpv6(text) : isOldIpv4(text));

const isIpv6Address: Accepts = (text) => text.includes(':') && isIpv6(text);

const isCidr: Accepts = (text) => {
  const [, address = '', bits = ''] = /^(.*)\\/(\\d{1,3})$/.exec(text) ?? [];
  const isSix = address.includes(':');
  return (
    address.length <= 256 &&
    (isSix ? isOldIpv6(address) : isOldIpv4(address)) &&
    Number(bits) <= (isSix ? 128 : 32)
  );
};

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

const hostname =
  /^([a-z0-9\\p{S}\\p{L}](-?[a-z0-9\\p{S}\\p{L}]{0,62})?|([a-z0-9\\p{S}\\p{L}](([a-z0-9\\-\\p{S}\\p{L}]{0,61}[a-z0-9\\p{S}\\p{L}])?)\\.)+([a-z\\p{L}]){2,63})$/iu;

const isHostname: Accepts = (text) =>
  bytesOf(text) <= 255 && hostname.test(text) && text.split('.').every((label) => bytesOf(label) <= 63);

const address =
  /^(?:[^\\s()<>[\\]:;@\\\\,."]+(?:\\.[^\\s()<>[\\]:;@\\\\,."]+)*|"(?:[^"\\\\]|\\\\.)*")@(?:[^\\s()<>[\\]:;@\\\\,."]+(?:\\.[^\\s()<>[\\]:;@\\\\,."]+)*|\\[[^\\]]+\\])$/u;

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
  const code = text.replace(/[\\s-]+/g, '');
  const sum = [...code].reduce(
    (total, digit, i) => total + (i + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return /^\\d{9}[\\dX]$/.test(code) && sum % 11 === 0;
};

const isIsbn13: Accepts = (text) => {
  const code = text.replace(/[\\s-]+/g, '');
  const sum = [...code].reduce((total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return /^\\d{13}$/.test(code) && sum % 10 === 0;
};

const isIsbn: Accepts = (text) => isIsbn10(text) || isIsbn13(text);

const card =
  /^(?:4\\d{12}(?:\\d{3})?|5[1-5]\\d{14}|6(?:011|5\\d\\d)\\d{12}|3[47]\\d{13}|3(?:0[0-5]|[68]\\d)\\d{11}|(?:2131|1800|35\\d{3})\\d{11})$/;

const isCreditCard: Accepts = (text) => {
  const number = text.replace(/\\D+/g, '');
  const doubled = (digit: number): number => (digit > 4 ? 2 * digit - 9 : 2 * digit);
  const digits = [...number].map(Number).reverse();
  const sum = digits.reduce((total, digit, i) => total + (i % 2 === 0 ? digit : doubled(digit)), 0);
  return card.test(number) && sum % 10 === 0;
};

const isDate: Accepts = (text) => {
  const [, year = '', month = '', day = ''] = /^(\\d{4})-(\\d{2})-(\\d{2})$/.exec(text) ?? [];
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const isLeap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
  const last = m === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(m) ? 30 : 31;
  return year !== '' && m >= 1 && m <= 12 && d >= 1 && d <= last;
};

const clock = /^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:z|[+-]\\d{2}:\\d{2})$/;

const isDateTime: Accepts = (text) => {
  const [date = '', time] = text.toLowerCase().split('t');
  return time !== undefined && isDate(date) && clock.test(time);
};

const authority =
  /^(?:[\\w.~!$&'()*+,;=:%@-]*@)?(?:\\[[^\\s\\]]*\\]|[\\w.~!$&'()*+,;=:[\\]<>"%\\u0080-\\u{10ffff}-]*?)(?::\\d*)?$/u;

/** An absolute URI, or an absolute path. */
const isUri: Accepts = (text) => {
  const [beforeQuery = ''] = text.split('?', 1);
  if (/\\p{Cc}/u.test(text.replace(/[\\u0080-\\u009f]/g, '')) || /%(?![0-9a-f]{2})/i.test(beforeQuery))
    return false;
  const rest = beforeQuery.replace(/^[a-z][a-z0-9+.-]*:/i, '');
  if (!rest.startsWith('/')) return rest !== beforeQuery;
  if (rest === beforeQuery || !rest.startsWith('//')) return true;
  const [host = ''] = rest.slice(2).split('/', 1);
  return authority.test(host);
};

/** Addresses of 6, 8 and 20 bytes. */
const isMac: Accepts = (text) =>
  /^(?:[0-9a-f]{2}([:-])[0-9a-f]{2}(?:(?:\\1[0-9a-f]{2}){4}|(?:\\1[0-9a-f]{2}){6}|(?:\\1[0-9a-f]{2}){18})|[0-9a-f]{4}(?:(?:\\.[0-9a-f]{4}){2}|(?:\\.[0-9a-f]{4}){3}|(?:\\.[0-9a-f]{4}){9}))$/i.test(
    text,
  );

const isObjectId: Accepts = (text) => /^[0-9a-f]{24}$/i.test(text);
const isSsn: Accepts = (text) => /^(?=.{11}$)\\d{3}[- ]?\\d{2}[- ]?\\d{4}$/.test(text);
const isHexColor: Accepts = (text) => /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text);
const isRgbColor: Accepts = (text) =>
  /^rgb\\((?:\\s*(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])\\s*(?:,(?!\\))|(?=\\)))){3}\\)$/.test(text);
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
    !/^[+-]?(?:0|(?:(?:\\d{1,20}(?:\\.\\d{0,30})?|\\.\\d{1,30})(?:[nuµμ]s|ms|[smh]))+)$/.test(text)
  )
    return false;
  const parts = [...text.matchAll(/([\\d.]+)([nuµμ]|ms|[smh])/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (nanos[unit] ?? 0), 0) < 2 ** 63;
};

/** A duration as Go writes it, or numbers with names of units: \`1d\`, \`2 weeks\`. */
const isDuration: Accepts = (text) => {
  if (isGoDuration(text)) return true;
  const parts = [...text.matchAll(/(?<!\\d)(\\d+)\\s*([A-Za-zµ]+)/g)].map(
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

/** A rule of the schema that an object does not follow. */
export interface Violation {
  /** The field: \`spec.rules[0].name\`; empty for the object itself. */
  readonly path: string;
  readonly message: string;
}

/** The rules for a value, as the schema of the definition has them. */
export interface Rules {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Rules>>;
  readonly additionalProperties?: Rules | boolean;
  readonly items?: Rules;
  /** Fields without rules are kept. */
  readonly isOpen?: boolean;
  /** An object of the API, with a type and metadata. */
  readonly isEmbedded?: boolean;
  readonly listType?: 'set' | 'map';
  readonly mapKeys?: readonly string[];
  readonly format?: string;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly multipleOf?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: RegExp;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly Rules[];
  readonly anyOf?: readonly Rules[];
  readonly oneOf?: readonly Rules[];
  readonly not?: Rules;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reports a violation at a path. */
type Report = (path: string, message: string) => void;

const noRules: Rules = {};

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** The violations of an object, whose type may be left out. */
export function violationsOf(object: unknown, type: Fields, rules: Rules): Violation[] {
  const found: Violation[] = [];
  const report: Report = (path, message) => found.push({ path, message });
  if (!isFields(object)) {
    report('', 'must be an object');
    return found;
  }
  const given = Object.entries(object).filter(
    ([name, value]) => !typeFields.has(name) || (value ?? null) !== null,
  );
  const whole: Fields = { ...type, metadata: {}, ...Object.fromEntries(given) };
  for (const [name, expected] of Object.entries(type))
    if (whole[name] !== expected) report(name, \`must be \${JSON.stringify(expected)}\`);
  check(storedForm(whole, rules, false), rules, { path: '', report });
  return found;
}

/** The rules for a field of an object. */
function fieldRules({ additionalProperties, properties }: Rules, name: string): Rules | undefined {
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  if (additionalProperties === true) return noRules;
  return additionalProperties === false ? undefined : additionalProperties;
}

/** The value as a server stores it: with defaults, without fields that have no rules and without nulls that are not allowed. */
function storedForm(value: unknown, rules: Rules, isOpen: boolean): unknown {
  const keeps = isOpen || rules.isOpen === true;
  if (Array.isArray(value)) {
    const { items = noRules } = rules;
    return value.map((item: unknown) =>
      (item ?? null) === null ? nullItem(items) : storedForm(item, items, keeps),
    );
  }
  if (!isFields(value)) return value;
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const kept = storedField(name, field, { rules, keeps });
    return kept === undefined ? [] : [[name, kept] as const];
  });
  const absent = Object.entries(rules.properties ?? {}).flatMap(([name, property]) => {
    const isGiven = Object.hasOwn(value, name) && value[name] !== undefined;
    return isGiven || property.default === undefined
      ? []
      : [[name, storedForm(property.default, property, false)] as const];
  });
  return Object.fromEntries([...fields, ...absent]);
}

/** Undefined for a field that is dropped. */
function storedField(
  name: string,
  value: unknown,
  { keeps, rules }: { readonly keeps: boolean; readonly rules: Rules },
): unknown {
  if (value === undefined) return undefined;
  if (rules.isEmbedded === true && typeFields.has(name)) return value ?? undefined;
  const field = fieldRules(rules, name);
  if (field === undefined) return keeps ? value : undefined;
  if (value !== null) return storedForm(value, field, false);
  if (field.nullable === true || field === noRules) return null;
  return field.default === undefined ? undefined : storedForm(field.default, field, false);
}

const nullItem = (rules: Rules): unknown =>
  rules.nullable === true || rules.default === undefined ? null : storedForm(rules.default, rules, false);

interface Place {
  readonly path: string;
  readonly report: Report;
}

const below = ({ path, report }: Place, name: string): Place => ({
  path: path === '' ? name : \`\${path}.\${name}\`,
  report,
});

function check(value: unknown, rules: Rules, place: Place): void {
  const { path, report } = place;
  if (!isOfType(value, rules)) report(path, \`must be \${typeNames[rules.type ?? ''] ?? 'a string'}\`);
  if (rules.enum !== undefined && (value === null || !rules.enum.some((one) => isSame(one, value))))
    report(path, \`must be one of \${rules.enum.map((one) => JSON.stringify(one)).join(', ')}\`);
  if (value === null) return;
  checkCombinations(value, rules, place);
  if (typeof value === 'string') checkText(value, rules, place);
  else if (typeof value === 'number' || typeof value === 'bigint') checkNumber(value, rules, place);
  else if (Array.isArray(value)) checkList(value, rules, place);
  else if (isFields(value)) checkFields(value, rules, place);
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  intOrString: 'an integer or a string',
};

function isOfType(value: unknown, { format, nullable, type }: Rules): boolean {
  if (value === null) return type === undefined || nullable === true;
  if (format === undefined && type === undefined) return true;
  const isNumeric = type === 'integer' || type === 'number' || type === 'intOrString';
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (type === 'number') return true;
    return isNumeric && (isInteger(value) || isNearlyWhole(Number(value)));
  }
  const own = Array.isArray(value) ? 'array' : typeof value;
  if (own === type || (own === 'string' && type === 'intOrString')) return true;
  // A format is about strings: it takes the place of another type.
  const hasFormat = format !== undefined && Object.hasOwn(formats, format);
  if (type === undefined && !hasFormat) return true;
  return hasFormat && !isNumeric && (own === 'string' || own === 'array');
}

/** Reports whether a number is an integer of 64 bits. */
const isInteger = (value: number | bigint): boolean =>
  (typeof value === 'bigint' || Number.isInteger(value)) && value >= -(2 ** 63) && value < 2 ** 63;

/** Decimal fractions are rounded in binary. */
function isNearlyWhole(value: number): boolean {
  const whole = Math.trunc(value);
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (value === whole || whole === 0) return value === whole;
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < 1e-9;
}

/** The same text for equal values. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return \`[\${value.map(canonicalText).join(',')}]\`;
  if (typeof value === 'bigint') return String(value);
  if (!isFields(value)) return JSON.stringify(value) ?? 'null';
  const names = Object.keys(value).sort();
  return \`{\${names.map((name) => \`\${JSON.stringify(name)}:\${canonicalText(value[name])}\`).join(',')}}\`;
}

const isSame = (a: unknown, b: unknown): boolean => a === b || canonicalText(a) === canonicalText(b);

function checkCombinations(value: unknown, rules: Rules, place: Place): void {
  const { path, report } = place;
  const violationsBy = (one: Rules): Violation[] => {
    const found: Violation[] = [];
    check(value, one, { path, report: (at, message) => found.push({ path: at, message }) });
    return found;
  };
  for (const one of rules.allOf ?? []) check(value, one, place);
  const { anyOf, oneOf, not } = rules;
  if (anyOf !== undefined && !anyOf.some((one) => violationsBy(one).length === 0))
    report(path, alternativesText(anyOf.map(violationsBy)));
  if (oneOf !== undefined) {
    const outcomes = oneOf.map(violationsBy);
    const valid = outcomes.filter(({ length }) => length === 0).length;
    if (valid === 0) report(path, alternativesText(outcomes));
    if (valid > 1) report(path, \`must match only one of \${oneOf.length} alternatives; it matches \${valid}\`);
  }
  if (not !== undefined && violationsBy(not).length === 0) report(path, 'must not match the excluded schema');
}

const alternativesText = (outcomes: readonly (readonly Violation[])[]): string => {
  const reasons = outcomes.map((found) =>
    found.map(({ path, message }) => \`\${path} \${message}\`.trim()).join(' and '),
  );
  return \`must match one of \${outcomes.length} alternatives: \${reasons.join('; or ')}\`;
};

function checkText(value: string, rules: Rules, { path, report }: Place): void {
  const { format, maxLength, minLength = 0, pattern } = rules;
  const isLong = maxLength !== undefined && value.length > maxLength;
  if (isLong && lengthOf(value) > maxLength) report(path, \`must have at most \${maxLength} characters\`);
  else if (minLength > 0 && lengthOf(value) < minLength)
    report(path, \`must have at least \${minLength} characters\`);
  else if (pattern !== undefined && !pattern.test(value)) report(path, \`must match \${pattern.source}\`);
  const accepts = format !== undefined && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (accepts?.(value) === false) report(path, \`must have the format \${format}\`);
}

/** In code points. */
const lengthOf = (text: string): number => [...text].length;

function checkNumber(value: number | bigint, rules: Rules, place: Place): void {
  const { path, report } = place;
  const { exclusiveMaximum, exclusiveMinimum, format, maximum, minimum, multipleOf, type } = rules;
  checkRange(value, { type, format }, place);
  // The bounds of integers lose their fraction, as on servers.
  const bound = (one: number): number => (isInteger(value) ? Math.trunc(one) : one);
  if (minimum !== undefined) {
    const least = bound(minimum);
    if (value < least || (exclusiveMinimum === true && Number(value) === least))
      report(path, \`must be \${exclusiveMinimum === true ? 'greater than' : 'at least'} \${least}\`);
  }
  if (maximum !== undefined) {
    const most = bound(maximum);
    if (value > most || (exclusiveMaximum === true && Number(value) === most))
      report(path, \`must be \${exclusiveMaximum === true ? 'less than' : 'at most'} \${most}\`);
  }
  if (multipleOf !== undefined && !isMultiple(value, bound(multipleOf)))
    report(path, \`must be a multiple of \${bound(multipleOf)}\`);
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (factor <= 0) return false;
  if (isInteger(value)) return BigInt(value) % BigInt(factor) === 0n;
  return isNearlyWhole(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor);
}

/** The least and the greatest integer of a format. */
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, 2 ** 64],
};

function checkRange(value: number | bigint, rules: Pick<Rules, never> & RangeRules, place: Place): void {
  const { format = '', type } = rules;
  const { path, report } = place;
  if (type === 'number') {
    const isTooLarge = Math.abs(Number(value)) > (2 - 2 ** -23) * 2 ** 127;
    if (isTooLarge && /^float(32)?$/.test(format)) report(path, 'must fit 32 bits');
    return;
  }
  if (type !== 'integer' || !(isInteger(value) || isNearlyWhole(Number(value)))) return;
  const [least, most] = (Object.hasOwn(ranges, format) ? ranges[format] : undefined) ?? [-(2 ** 63), 2 ** 63];
  if (!isInteger(value) || value < least || value > most)
    report(path, \`must be an integer of the format \${format || 'int64'}\`);
}

interface RangeRules {
  readonly type: string | undefined;
  readonly format: string | undefined;
}

function checkList(list: readonly unknown[], rules: Rules, { path, report }: Place): void {
  const { items, listType, mapKeys = [], maxItems, minItems, uniqueItems } = rules;
  if (items !== undefined)
    for (const [i, item] of list.entries()) check(item, items, { path: \`\${path}[\${i}]\`, report });
  if (minItems !== undefined && list.length < minItems) report(path, \`must have at least \${minItems} items\`);
  if (maxItems !== undefined && list.length > maxItems) report(path, \`must have at most \${maxItems} items\`);
  if (listType === 'map') {
    const wrong = list.findIndex((item) => item !== null && !isFields(item));
    if (wrong >= 0) report(\`\${path}[\${wrong}]\`, 'must be an object');
    else
      reportRepeated(
        list.map((item) => mapKeys.map((key) => keyOf(item, key))),
        { path, report },
      );
  } else if (listType === 'set' || uniqueItems === true) reportRepeated(list, { path, report });
}

const keyOf = (item: unknown, key: string): unknown =>
  isFields(item) && Object.hasOwn(item, key) ? [item[key]] : [];

function reportRepeated(identities: readonly unknown[], { path, report }: Place): void {
  const counts = new Map<string, number>();
  for (const [i, identity] of identities.entries()) {
    const text = canonicalText(identity);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    // The third of three equal items tells nothing more.
    if (count === 2) report(\`\${path}[\${i}]\`, 'must not repeat an item');
  }
}

function checkFields(object: Fields, rules: Rules, place: Place): void {
  const { path, report } = place;
  const { additionalProperties, isEmbedded, maxProperties, minProperties, required = [] } = rules;
  const names = Object.keys(object);
  if (minProperties !== undefined && names.length < minProperties)
    report(path, \`must have at least \${minProperties} fields\`);
  if (maxProperties !== undefined && names.length > maxProperties)
    report(path, \`must have at most \${maxProperties} fields\`);
  for (const name of names) {
    const field = fieldRules(rules, name);
    if (field !== undefined) check(object[name], field, below(place, name));
    else if (additionalProperties === false) report(below(place, name).path, 'is not a field of the object');
  }
  for (const name of required)
    if (!Object.hasOwn(object, name)) report(below(place, name).path, 'is required');
  if (isEmbedded === true) checkType(object, place);
}

/** The type and metadata of an object of the API. */
function checkType({ apiVersion, kind, metadata }: Fields, place: Place): void {
  const parts = typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion.split('/').length : 3;
  if (parts > 2) place.report(below(place, 'apiVersion').path, 'must be VERSION or GROUP/VERSION');
  if (typeof kind !== 'string' || !/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/i.test(kind))
    place.report(below(place, 'kind').path, 'must be the name of a kind');
  if (metadata !== undefined && !isFields(metadata))
    place.report(below(place, 'metadata').path, 'must be an object');
}
`;
