import type { APIService, APIServiceSpec } from '@orch/kinds/apiregistration';
import { type FieldError, fieldError } from '@orch/machinery';
import { dns1035label, dns1123subdomain } from '@orch/machinery/formats';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, statusOnlyRules } from '../../status-strategy.ts';

function checkName(name: string, spec: APIServiceSpec): readonly FieldError[] {
  const required = `${spec.version ?? ''}.${spec.group ?? ''}`;
  if (name === '' || name === required) return [];
  const why = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(required)}`;
  return [fieldError.invalid('metadata.name', name, why)];
}

function checkGroup(spec: APIServiceSpec): readonly FieldError[] {
  const group = spec.group ?? '';
  if (group === '') {
    return spec.version === 'v1'
      ? []
      : [fieldError.required('spec.group', 'only v1 may have an empty group')];
  }
  const wrong = dns1123subdomain(group);
  return wrong === undefined ? [] : [fieldError.invalid('spec.group', group, wrong)];
}

/** An empty version is not of the format, either. */
function checkVersion(version = ''): readonly FieldError[] {
  const wrong = dns1035label(version);
  return wrong === undefined ? [] : [fieldError.invalid('spec.version', version, wrong)];
}

/** A group version of this server needs no certificate; one of another server needs one or skips the verification. */
function checkTrust(spec: APIServiceSpec): readonly FieldError[] {
  const hasBundle = (spec.caBundle ?? '') !== '';
  const skips = spec.insecureSkipTLSVerify === true;
  const path = 'spec.insecureSkipTLSVerify';
  if (spec.service !== undefined) {
    return hasBundle && skips
      ? [fieldError.invalid(path, true, 'may not be true if caBundle is present')]
      : [];
  }
  return [
    ...(hasBundle
      ? [fieldError.invalid('spec.caBundle', spec.caBundle, 'local APIServices may not have a caBundle')]
      : []),
    ...(skips
      ? [fieldError.invalid(path, true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ];
}

function checkService(spec: APIServiceSpec): readonly FieldError[] {
  if (spec.service === undefined) return [];
  const { service } = spec;
  return (['namespace', 'name'] as const).flatMap((field) =>
    (service[field] ?? '') === '' ? [fieldError.required(`spec.service.${field}`)] : [],
  );
}

function validateApiService(next: APIService): readonly FieldError[] {
  const spec = next.spec ?? {};
  return [
    ...checkName(next.metadata.name ?? '', spec),
    ...checkGroup(spec),
    ...checkVersion(spec.version),
    ...checkService(spec),
    ...checkTrust(spec),
  ];
}

const STATUSES = ['True', 'False', 'Unknown'] as const;

const validateApiServiceStatus = (next: APIService): readonly FieldError[] =>
  (next.status?.conditions ?? []).flatMap(({ status = '' }, i) =>
    STATUSES.some((each) => each === status)
      ? []
      : [fieldError.notSupported(`status.conditions[${i}].status`, status, STATUSES)],
  );

/**
 * API services: their names are derived from the served group version, and those of this server itself are available at
 * once.
 */
export const apiServiceStrategy: Strategy<APIService> = strategyOf<APIService>({
  unconditionalUpdate: false,
  resetStatus: true,
  prepareForCreate(next, { now }) {
    if (next.spec?.service !== undefined) return;
    const condition = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: now,
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    next.status = { conditions: [condition] };
  },
  prepareForUpdate: keepStatus,
  validate: validateApiService,
  through: { status: statusOnlyRules(validateApiServiceStatus) },
});
