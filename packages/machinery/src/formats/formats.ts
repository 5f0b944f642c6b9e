import { cidr, ip, nonSpecialIp, strictCidr, strictIp, strictNonSpecialIp } from './network.ts';
import * as text from './text.ts';

/** A rule for any JSON value: returns the violated requirement, or undefined when the value is valid. */
export type ValueFormat = (value: unknown) => string | undefined;

const ofText =
  (format: text.TextFormat): ValueFormat =>
  (value) =>
    typeof value === 'string' ? format(value) : 'must be a string';

const wholeNumber = (min: number, max: number): ValueFormat => {
  const expected = `must be between ${min} and ${max}, inclusive`;
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? undefined
      : expected;
};

const positiveIntOrPercent: ValueFormat = (value) => {
  if (typeof value === 'string') return text.percent(value);
  if (typeof value !== 'number' || !Number.isInteger(value))
    return "must be an integer or percentage (e.g '5%')";
  return value >= 0 ? undefined : 'must be greater than or equal to 0';
};

const notOver100: ValueFormat = (value) => {
  if (typeof value !== 'string' || text.percent(value) !== undefined) return undefined;
  return Number(value.slice(0, -1)) <= 100 ? undefined : 'must not be greater than 100%';
};

/** Every format by name. `specialIp` accepts only addresses that are not special. */
export const formats = Object.freeze({
  dns1123label: ofText(text.dns1123label),
  dns1123subdomain: ofText(text.dns1123subdomain),
  dns1035label: ofText(text.dns1035label),
  wildcardSubdomain: ofText(text.wildcardSubdomain),
  qualifiedName: ofText(text.qualifiedName),
  labelValue: ofText(text.labelValue),
  pathSegment: ofText(text.pathSegment),
  portNumber: wholeNumber(1, 65535),
  portName: ofText(text.portName),
  percent: ofText(text.percent),
  envVarName: ofText(text.envVarName),
  printableVarName: ofText(text.printableVarName),
  configMapKey: ofText(text.configMapKey),
  httpHeaderName: ofText(text.httpHeaderName),
  cIdentifier: ofText(text.cIdentifier),
  userOrGroupID: wholeNumber(0, 2147483647),
  fileMode: wholeNumber(0, 0o777),
  sysctl: ofText(text.sysctl),
  webhookName: ofText(text.fullyQualified(3)),
  crdGroup: ofText(text.fullyQualified(2)),
  conditionReason: ofText(text.conditionReason),
  ip: ofText(ip),
  strictIp: ofText(strictIp),
  specialIp: ofText(nonSpecialIp),
  strictSpecialIp: ofText(strictNonSpecialIp),
  cidr: ofText(cidr),
  strictCidr: ofText(strictCidr),
  csiDriverName: ofText(text.csiDriverName),
  positiveIntOrPercent,
  notOver100,
});

export type FormatName = keyof typeof formats;

export const isFormatName = (name: string): name is FormatName => Object.hasOwn(formats, name);

/**
 * Returns the message about an invalid `value` for a field error (`fieldError.invalid(path, value, message)`), or
 * undefined. Throws a TypeError on an unknown format name: that is an error in a declaration.
 */
export function validateFormat(name: string, value: unknown): string | undefined {
  if (!isFormatName(name)) throw new TypeError(`unknown format ${JSON.stringify(name)}`);
  return formats[name](value);
}

/**
 * As `validateFormat`, for the value of `generateName`: a hyphen at the end is fine, because characters follow.
 */
export function validateNamePrefix(name: string, prefix: string): string | undefined {
  return validateFormat(name, prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -1)}a` : prefix);
}
