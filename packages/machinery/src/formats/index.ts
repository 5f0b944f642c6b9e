export {
  type FormatName,
  formats,
  isFormatName,
  type ValueFormat,
  validateFormat,
  validateNamePrefix,
} from './formats.ts';
export { cidr, ip, nonSpecialIp } from './network.ts';
export {
  cIdentifier,
  conditionReason,
  configMapKey,
  csiDriverName,
  dns1035label,
  dns1123label,
  dns1123subdomain,
  envVarName,
  fullyQualified,
  httpHeaderName,
  labelValue,
  pathSegment,
  percent,
  portName,
  qualifiedName,
  sysctl,
  type TextFormat,
  wildcardSubdomain,
} from './text.ts';
export { visibleText } from './visible-text.ts';
