import type { Pod, PodStatus } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { qualifiedName } from '@orch/machinery/formats';
import { addressFormatIn } from '../../../address-formats.ts';
import type { StrategyContext } from '../../../resource-type.ts';
import { checkFormat, checkUnique } from '../../../validation-rules.ts';
import { familyOf } from '../../shared/validation/address-family.ts';
import { checkContainerStatuses } from './status-containers.ts';
import { checkTransitions } from './transitions.ts';

type Context = Pick<StrategyContext, 'since'>;

/** Checks updates of the status. */
export function validatePodStatus(next: Pod, old: Pod, context: Context): readonly FieldError[] {
  const status = next.status ?? {};
  return [
    ...checkConditions(status, context),
    ...checkClass(status, old.status ?? {}, context),
    ...checkAddresses(status, old.status ?? {}, context),
    ...checkHostAddresses(status, old.status ?? {}, context),
    ...checkTransitions(status, old, context),
    ...checkClaims(next),
    ...checkExtendedClaim(next),
    ...checkContainerStatuses(next, context),
  ];
}

const ownConditions = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Conditions of other programs have qualified names. Errors before 1.33 have a path below metadata. */
function checkConditions({ conditions = [] }: PodStatus, { since }: Context): readonly FieldError[] {
  const path = since('1.33') ? 'status.conditions' : 'metadata.conditions';
  return conditions.flatMap(({ type = '' }, i) => {
    const wrong = ownConditions.has(type) ? undefined : qualifiedName(type);
    return wrong === undefined ? [] : [fieldError.invalid(`${path}[${i}].Type`, type, wrong)];
  });
}

/** The quality of service is that of the spec, and stays. */
const checkClass = (
  { qosClass = '' }: PodStatus,
  { qosClass: before = '' }: PodStatus,
  { since }: Context,
): readonly FieldError[] =>
  qosClass === before || !since('1.32')
    ? []
    : [fieldError.invalid('status.qosClass', qosClass, 'field is immutable')];

type Addresses = NonNullable<PodStatus['podIPs']>;

const textsOf = (addresses: Addresses): readonly string[] => addresses.map((address) => address.ip ?? '');

/** Checks that there is at most one address per family, and from 1.37 on that both fields have the first one. */
function checkAddresses(
  { podIP = '', podIPs = [] }: PodStatus,
  old: PodStatus,
  { since }: Context,
): readonly FieldError[] {
  const path = 'status.podIPs';
  const addresses = textsOf(podIPs);
  const errors = checkFamilies(path, addresses, { old: old.podIPs, since });
  if (!since('1.37')) return errors;
  const [first] = addresses;
  if ((podIP !== '') !== (first !== undefined)) {
    const why = 'podIP and podIPs must either both be set or both be unset';
    return [...errors, fieldError.invalid(path, podIPs, why)];
  }
  return first === undefined || first === podIP
    ? errors
    : [...errors, fieldError.invalid(`${path}[0].ip`, first, 'must be equal to `podIP`')];
}

/** The addresses of the node, the first of which both fields have. */
function checkHostAddresses(
  { hostIP = '', hostIPs = [] }: PodStatus,
  old: PodStatus,
  { since }: Context,
): readonly FieldError[] {
  const path = 'status.hostIPs';
  const addresses = textsOf(hostIPs);
  const [first] = addresses;
  if (first === undefined) return [];
  const errors = checkFamilies(path, addresses, { old: old.hostIPs, since });
  return first === hostIP
    ? errors
    : [...errors, fieldError.invalid(`${path}[0].ip`, first, 'must be equal to `hostIP`')];
}

/** An address that the status had before may have an older form. */
function checkFamilies(
  path: string,
  addresses: readonly string[],
  { old, since }: Context & { readonly old: Addresses | undefined },
): readonly FieldError[] {
  const known = new Set(textsOf(old ?? []));
  const errors = addresses.flatMap((address, i) =>
    known.has(address) ? [] : checkFormat(addressFormatIn(since), `${path}[${i}]`, address),
  );
  if (addresses.length < 2) return errors;
  const families = new Set(addresses.map(familyOf));
  return [
    ...errors,
    ...(errors.length > 0 || families.size !== addresses.length
      ? [fieldError.invalid(path, addresses, 'may specify no more than one IP for each IP family')]
      : []),
  ];
}

/** The claims that were made for entries of the spec, each of which has one. */
function checkClaims({ spec, status }: Pod): readonly FieldError[] {
  const path = 'status.resourceClaimStatuses';
  const claims = status?.resourceClaimStatuses ?? [];
  if (claims.length === 0) return [];
  const entries = new Set((spec?.resourceClaims ?? []).map(({ name }) => name ?? ''));
  const nameOf = ({ name = '' }: (typeof claims)[number]): string => name;
  const unknown = claims.map(nameOf).flatMap((name, i) => {
    const why = 'must match the name of an entry in `spec.resourceClaims`';
    return entries.has(name) ? [] : [fieldError.invalid(`${path}[${i}].name`, name, why)];
  });
  return [...unknown, ...checkUnique(path, claims, nameOf, 'name')];
}

/** The claim for extended resources of the containers. */
function checkExtendedClaim({ spec, status }: Pod): readonly FieldError[] {
  const claim = status?.extendedResourceClaimStatus;
  if (claim === undefined) return [];
  const path = 'status.extendedResourceClaimStatus';
  const { resourceClaimName = '' } = claim;
  const mappings = claim.requestMappings ?? [];
  const containers = new Map(
    [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map((one) => [one.name, one]),
  );
  const known = new Set<string>();
  const ofMappings = mappings.flatMap((mapping, i) => {
    const { containerName = '', resourceName = '', requestName = '' } = mapping;
    const at = (field: string): string => `${path}.requestMappings[${i}].${field}`;
    const container = containers.get(containerName);
    const isRequested = Object.hasOwn(container?.resources?.requests ?? {}, resourceName);
    const errors = [...checkFormat('dns1123label', `${path}.requestName`, requestName)];
    if (container === undefined)
      errors.push(fieldError.invalid(at('containerName'), containerName, 'must be the name of a container'));
    else if (!isRequested)
      errors.push(
        fieldError.invalid(
          at('resourceName'),
          resourceName,
          'must be a resource that the container requests',
        ),
      );
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (known.has(key))
      for (const [field, value] of Object.entries({ containerName, resourceName, requestName }))
        errors.push(fieldError.duplicate(at(field), value));
    known.add(key);
    return errors;
  });
  return [
    ...(mappings.length === 0
      ? [fieldError.required(`${path}.requestMappings`, 'at least one request mapping is required')]
      : ofMappings),
    ...(resourceClaimName === ''
      ? [fieldError.required(`${path}.resourceClaimName`)]
      : checkFormat('dns1123subdomain', `${path}.resourceClaimName`, resourceClaimName)),
  ];
}
