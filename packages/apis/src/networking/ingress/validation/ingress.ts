import type { HTTPIngressPath, Ingress, IngressRule, IngressTLS } from '@orch/kinds/networking';
import { type FieldError, fieldError } from '@orch/machinery';
import { dns1123subdomain, wildcardSubdomain } from '@orch/machinery/formats';
import { isAddressInDigits } from '../../../address-formats.ts';
import { checkLoadBalancer } from '../../../core/shared/validation/load-balancer.ts';
import type { StrategyContext } from '../../../resource-type.ts';
import { type BackendNames, checkBackend } from './backend.ts';

interface Dialect extends BackendNames {
  readonly defaultBackend: string;
  /** Names of secrets were not validated before v1. */
  readonly checksSecretNames: boolean;
  /** Older versions have a default type of paths. */
  readonly requiresPathType: boolean;
}

const v1: Omit<Dialect, 'serviceFormat'> = {
  defaultBackend: 'defaultBackend',
  service: 'service.name',
  portName: 'service.port.name',
  portNumber: 'service.port.number',
  checksSecretNames: true,
  requiresPathType: true,
};

const beta: Omit<Dialect, 'serviceFormat'> = {
  defaultBackend: 'backend',
  service: 'serviceName',
  portName: 'servicePort',
  portNumber: 'servicePort',
  checksSecretNames: false,
  requiresPathType: false,
};

/** Checks an ingress in the hub version; errors name the fields of the client's version. */
export function validateIngress(
  next: Ingress,
  old: Ingress | undefined,
  context: StrategyContext,
): readonly FieldError[] {
  const dialect: Dialect = {
    ...(context.requestVersion.endsWith('v1beta1') ? beta : v1),
    serviceFormat: context.since('1.36', 'RelaxedServiceNameValidation') ? 'dns1123label' : 'dns1035label',
  };
  const spec = next.spec ?? {};
  const errors: FieldError[] = old === undefined ? [...checkClass(next, context)] : [];
  const rules = spec.rules ?? [];
  const fallback = spec.defaultBackend;
  if (rules.length === 0 && fallback === undefined) {
    const why = `either \`${dialect.defaultBackend}\` or \`rules\` must be specified`;
    errors.push(fieldError.invalid('spec', spec.rules ?? [], why));
  }
  if (fallback !== undefined) {
    errors.push(...checkBackend(`spec.${dialect.defaultBackend}`, fallback, dialect));
  }
  const strict = dialect.checksSecretNames && (old === undefined || secretNames(old).every(isSecretName));
  return [
    ...errors,
    ...rules.flatMap((rule, i) => checkRule(`spec.rules[${i}]`, rule, dialect)),
    ...(spec.tls ?? []).flatMap((entry, i) => checkTls(`spec.tls[${i}]`, entry, strict)),
  ];
}

/** Checks that the class is set in the spec or, as formerly, in an annotation. */
function checkClass({ metadata, spec }: Ingress, { names }: StrategyContext): readonly FieldError[] {
  const key = names.annotations.ingressClass;
  const annotation = metadata.annotations?.[key];
  if (annotation === undefined || spec?.ingressClassName === undefined) return [];
  const why = 'can not be set when the class field is also set';
  return [fieldError.invalid(`annotations.${key}`, annotation, why)];
}

/** Checks the name of a host, or a wildcard for one more label. */
function checkHost(path: string, host: string): readonly FieldError[] {
  const wrong = host.includes('*') ? wildcardSubdomain(host) : dns1123subdomain(host);
  return wrong === undefined ? [] : [fieldError.invalid(path, host, wrong)];
}

/** Checks a host name as `checkHost` does, and also refuses IP addresses. */
const checkRuleHost = (path: string, host: string): readonly FieldError[] =>
  isAddressInDigits(host)
    ? [fieldError.invalid(path, host, 'must be a DNS name, not an IP address')]
    : checkHost(path, host);

function checkRule(path: string, rule: IngressRule, dialect: Dialect): readonly FieldError[] {
  const host = rule.host ?? '';
  const paths = rule.http?.paths ?? [];
  return [
    ...(host === '' ? [] : checkRuleHost(`${path}.host`, host)),
    ...paths.flatMap((entry, i) => checkPath(`${path}.http.paths[${i}]`, entry, dialect)),
  ];
}

/** Checks a path. A path without a type is not checked further, because `v1` requires the type. */
function checkPath(path: string, entry: HTTPIngressPath, dialect: Dialect): readonly FieldError[] {
  const text = entry.path ?? '';
  const type = entry.pathType ?? '';
  // The schema reports a missing type.
  if (type === '' && dialect.requiresPathType) return [];
  return [
    ...checkPathText(`${path}.path`, text, type),
    ...checkBackend(`${path}.backend`, entry.backend ?? {}, dialect),
  ];
}

const within = ['//', '/./', '/../', '%2f', '%2F'];

const atEnd = ['/..', '/.'];

/** Paths are compared in canonical form, so that none bypasses a rule. */
function checkPathText(at: string, text: string, type: string): readonly FieldError[] {
  const isCompared = type === 'Exact' || type === 'Prefix';
  if (!isCompared && (type !== 'ImplementationSpecific' || text === '')) return [];
  const absolute = text.startsWith('/') ? [] : [fieldError.invalid(at, text, 'must be an absolute path')];
  if (!isCompared) return absolute;
  return [
    ...absolute,
    ...within
      .filter((part) => text.includes(part))
      .map((part) => fieldError.invalid(at, text, `must not contain '${part}'`)),
    ...atEnd
      .filter((part) => text.endsWith(part))
      .map((part) => fieldError.invalid(at, text, `cannot end with '${part}'`)),
  ];
}

const secretNames = (ingress: Ingress): readonly string[] =>
  (ingress.spec?.tls ?? []).map((entry) => entry.secretName ?? '');

const isSecretName = (name: string): boolean => name === '' || dns1123subdomain(name) === undefined;

function checkTls(path: string, entry: IngressTLS, strict: boolean): readonly FieldError[] {
  const secret = entry.secretName ?? '';
  const wrong = strict && secret !== '' ? dns1123subdomain(secret) : undefined;
  return [
    ...(entry.hosts ?? []).flatMap((host, i) => checkHost(`${path}.hosts[${i}]`, host)),
    ...(wrong === undefined ? [] : [fieldError.invalid(`${path}.secretName`, secret, wrong)]),
  ];
}

/** Checks that a load balancer has either an address or a name. */
export const validateIngressStatus = (
  next: Ingress,
  old: Ingress,
  { since }: StrategyContext,
): readonly FieldError[] =>
  checkLoadBalancer('status.loadBalancer', next.status?.loadBalancer ?? {}, {
    old: old.status?.loadBalancer,
    since,
  });
