import type { ObjectSource } from '@orch/auth';
import type { Clock, Names } from '@orch/machinery';
import { isUncounted, quotaEvaluator } from '@orch/quota';
import type { ConfigurationParts } from '../configuration/plugin-configuration.ts';
import type { AdmissionAttributes, AdmissionPlugin, ResourceTarget, Verdict } from '../types.ts';
import { demandOf, type QuotaRequest } from './demand.ts';
import { KnownQuotas } from './known-quotas.ts';
import { limitedResources, uncovered } from './limited-resources.ts';
import type { QuotaState } from './quota-state.ts';
import type { QuotaStore } from './quota-store.ts';
import { QuotaReservations } from './reservations.ts';

export interface ResourceQuotaParts extends ConfigurationParts {
  readonly source: ObjectSource;
  readonly names: Names;
  readonly clock: Clock;
  readonly quotas: QuotaStore;
}

/** Core resources whose objects can use more after an update, with the subresources through which they do. */
const growing: Readonly<Record<string, readonly string[]>> = {
  pods: ['', 'resize'],
  services: [''],
  persistentvolumeclaims: [''],
};

/** Requests that are admitted as creations in a namespace and store nothing. By the key of the group. */
const notStored: ReadonlySet<string> = new Set(['/bindings', 'authorization/localsubjectaccessreviews']);

/** Reports whether the objects of a write can use more after it. */
function canGrow({ operation, group, resource, subresource }: ResourceTarget): boolean {
  if (operation === 'UPDATE')
    return (
      group === '' && Object.hasOwn(growing, resource) && growing[resource]?.includes(subresource) === true
    );
  if (operation !== 'CREATE' || subresource !== '') return false;
  return !isUncounted(group, resource) && !notStored.has(`${group}/${resource}`);
}

/**
 * `ResourceQuota`: what all objects of a namespace use together stays within its quotas. The usage of a write is added to
 * the status of every quota that limits it before the write is stored, with a precondition on the revision of the quota:
 * concurrent writes through any number of servers never exceed it. Usage is released by the controller of quotas. That of a
 * write which certainly failed after it was admitted is released at once, if only admission has written the quota since,
 * through any server.
 */
export function resourceQuota({
  source,
  names,
  clock,
  quotas: store,
  configuration,
}: ResourceQuotaParts): AdmissionPlugin {
  const known = new KnownQuotas(source);
  const limited = limitedResources(configuration, names);
  const reservations = new QuotaReservations({ known, store, clock });
  return {
    name: 'ResourceQuota',
    handles: canGrow,
    handlesWrite: ({ namespace }) => known.has(namespace) || (limited.length > 0 && namespace !== ''),
    configuredBy: () => (limited.length > 0 ? undefined : known),
    reserve(write): Verdict {
      const quotas = known.in(write.namespace);
      const request = requestOf(write, names, clock.now());
      if (request === undefined) return undefined;
      const refusal = uncovered(request, quotas, limited);
      if (refusal !== undefined) return refusal;
      return quotas.some((quota) => limits(quota, request))
        ? reservations.reserve(request, write.signal, (release) => write.whenNotStored(release))
        : undefined;
    },
  };
}

/** Undefined for a write that leaves no object. */
function requestOf(
  { namespace, group, resource, object, oldObject, dryRun }: AdmissionAttributes,
  names: Names,
  nowMs: number,
): QuotaRequest | undefined {
  if (object === undefined) return undefined;
  const evaluator = quotaEvaluator(names.group(group), resource, names);
  const next = evaluator.measure(object);
  const old = oldObject === undefined ? undefined : evaluator.measure(oldObject);
  return { namespace, evaluator, object, next, old, dryRun, nowMs };
}

/** Reports whether a quota has to be updated for a write, or refuses it. */
function limits(quota: QuotaState, request: QuotaRequest): boolean {
  const demand = demandOf(quota, request);
  return typeof demand === 'string' || demand.size > 0;
}
