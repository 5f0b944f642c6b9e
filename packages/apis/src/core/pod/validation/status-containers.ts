import type {
  Container,
  ContainerExtendedResourceRequest,
  ContainerStatus,
  Pod,
  PodStatus,
  ResourceStatus,
} from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { approximateNumber } from '@orch/machinery/json';
import type { StrategyContext } from '../../../resource-type.ts';

/** Checks users and resources of the statuses of containers. */
export function checkContainerStatuses(
  { spec, status = {} }: Pod,
  { since }: Pick<StrategyContext, 'since'>,
): readonly FieldError[] {
  const os = spec?.os?.name;
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status;
  const maxUser = since('1.37') ? 0xff_ff_ff_ff : 0x7f_ff_ff_ff;
  const users = (path: string, statuses: readonly ContainerStatus[]): readonly FieldError[] =>
    statuses.flatMap((one, i) => checkUser(`status.${path}[${i}].user.linux`, one, os, maxUser));
  return [
    ...users('containerStatuses', containerStatuses),
    ...users('initContainerStatuses', initContainerStatuses),
    ...users('ephemeralContainerStatuses', ephemeralContainerStatuses),
    ...checkResources('status.containerStatuses', containerStatuses, spec?.containers ?? [], status),
    ...checkResources(
      'status.initContainerStatuses',
      initContainerStatuses,
      spec?.initContainers ?? [],
      status,
    ),
    ...ephemeralContainerStatuses.flatMap(({ allocatedResourcesStatus: resources = [] }, i) => {
      const path = `status.ephemeralContainerStatuses[${i}].allocatedResourcesStatus`;
      return resources.length === 0
        ? []
        : [fieldError.forbidden(path, 'must not be specified in container status')];
    }),
  ];
}

/** A container of Windows has no user of Linux. */
function checkUser(
  path: string,
  { user }: ContainerStatus,
  os: string | undefined,
  maxUser: number,
): readonly FieldError[] {
  if (user?.linux === undefined) return [];
  if (os === 'windows') return [fieldError.forbidden(path, 'cannot be set for a windows pod')];
  const uid = approximateNumber(user.linux.uid) ?? 0;
  if (uid >= 0 && uid <= maxUser) return [];
  return [fieldError.invalid(`${path}.uid`, user.linux.uid, `must be between 0 and ${maxUser}, inclusive`)];
}

const CLAIM = 'claim:';

/** The claim for extended resources of a pod, and its requests by container. */
interface Extended {
  readonly claim: string;
  readonly mappings: ReadonlyMap<string | undefined, readonly ContainerExtendedResourceRequest[]>;
}

/** The resources of a container that have a health: those that it requests, and its claims. */
function healthNames(container: Container, extended: Extended): ReadonlySet<string> {
  const { requests = {}, claims = [] } = container.resources ?? {};
  const ofClaims = claims.map(({ name = '', request = '' }) =>
    request === '' ? `${CLAIM}${name}` : `${CLAIM}${name}/${request}`,
  );
  const mappings = (extended.mappings.get(container.name) ?? []).filter(
    ({ requestName, resourceName = '' }) =>
      (requestName ?? '') !== '' && Object.hasOwn(requests, resourceName) && requests[resourceName] !== '0',
  );
  const ofExtended = mappings.map(({ requestName }) => `${CLAIM}${extended.claim}/${requestName}`);
  const ownNames = Object.keys(requests).filter((name) => !name.startsWith(CLAIM));
  return new Set([...ownNames, ...ofClaims, ...ofExtended]);
}

function checkResources(
  path: string,
  statuses: readonly ContainerStatus[],
  containers: readonly Container[],
  status: PodStatus,
): readonly FieldError[] {
  if (statuses.every(({ allocatedResourcesStatus = [] }) => allocatedResourcesStatus.length === 0)) return [];
  const { requestMappings, resourceClaimName: claim = '' } = status.extendedResourceClaimStatus ?? {};
  const mappings = Map.groupBy(requestMappings ?? [], ({ containerName }) => containerName);
  const names = new Map(containers.map((one) => [one.name, healthNames(one, { claim, mappings })]));
  return statuses.flatMap(({ name, allocatedResourcesStatus = [] }, i) =>
    allocatedResourcesStatus.flatMap((resource, j) =>
      checkResource(`${path}[${i}].allocatedResourcesStatus[${j}]`, resource, names.get(name)),
    ),
  );
}

const healths = ['Healthy', 'Unhealthy', 'Unknown'];
const MAX_MESSAGE = 1024;

function checkResource(
  path: string,
  { name = '', resources = [] }: ResourceStatus,
  names: ReadonlySet<string> | undefined,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (names !== undefined && !names.has(name))
    errors.push(fieldError.invalid(`${path}.name`, name, 'must be a request or a claim of the container'));
  const known = new Set<string>();
  resources.forEach(({ resourceID = '', health = '', message }, k) => {
    const at = `${path}.resources[${k}]`;
    if (!healths.includes(health)) errors.push(fieldError.notSupported(`${at}.health`, health, healths));
    if (message === '') errors.push(fieldError.required(`${at}.message`, 'must be non-empty if specified'));
    if (Buffer.byteLength(message ?? '') > MAX_MESSAGE)
      errors.push(fieldError.tooLong(`${at}.message`, MAX_MESSAGE));
    if (known.has(resourceID)) errors.push(fieldError.duplicate(`${at}.resourceID`, resourceID));
    known.add(resourceID);
  });
  return errors;
}
