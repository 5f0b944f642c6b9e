import type { DeviceClaim, DeviceConstraint } from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import { type Check, type CheckContext, f, items, type StructSchema, struct } from '@orch/schema';
import { checkFormat, checkUnique, driverName } from '../../../validation-rules.ts';
import { controllerOnly } from '../control-plane-controller.ts';
import { consumable } from '../device/capacity.ts';
import { configField, DeviceClaimConfiguration } from '../device/configuration.ts';
import { checkFullyQualifiedName } from '../device/names.ts';
import { checkDerivedAttributes } from './derived-attribute.ts';
import { fieldOfDuplicates, Request, RequestV1Beta1 } from './request.ts';

const MAX_REQUESTS = 32;
const MAX_CONSTRAINTS = 32;

/** Names of requests with those of their alternatives. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

export const requestNames = ({ requests }: DeviceClaim): RequestNames =>
  new Map(
    (requests ?? []).map(({ name = '', firstAvailable = [] }) => [
      name,
      new Set(firstAvailable.map((one) => one.name ?? '')),
    ]),
  );

function isKnown([request = '', alternative]: readonly string[], known: RequestNames): boolean {
  const alternatives = known.get(request);
  return alternatives !== undefined && (alternative === undefined || alternatives.has(alternative));
}

/** Checks a reference to a request of the claim, or to one of its alternatives. */
export function checkRequestName(path: string, name: string, known: RequestNames): readonly FieldError[] {
  const parts = name.split('/');
  const why =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  if (parts.length > 2) return [fieldError.invalid(path, name, why)];
  return [
    ...parts.flatMap((part) =>
      part === '' ? [fieldError.required(path, '')] : checkFormat('dns1123label', path, part),
    ),
    ...(isKnown(parts, known) ? [] : [fieldError.invalid(path, name, why)]),
  ];
}

/** Checks references to requests: known, and each once. */
export const checkRequestNames = (
  path: string,
  names: readonly string[] = [],
  known: RequestNames,
): readonly FieldError[] => [
  ...names.flatMap((name, i) => checkRequestName(`${path}[${i}]`, name, known)),
  ...checkUnique(path, names, String),
];

/** Checks the attribute of a constraint. Before 1.35, an empty one is missing. */
const checkAttributeName = (
  path: string,
  name: string,
  since: CheckContext['since'],
): readonly FieldError[] =>
  name === '' && !since('1.35') ? [fieldError.required(path)] : checkFullyQualifiedName(path, name);

const checkConstraint: Check<DeviceConstraint> = ({ matchAttribute, distinctAttribute }, { path, since }) => {
  if (matchAttribute !== undefined)
    return checkAttributeName(`${path}.matchAttribute`, matchAttribute, since);
  if (distinctAttribute !== undefined)
    return checkAttributeName(`${path}.distinctAttribute`, distinctAttribute, since);
  return since('1.36', 'DRAConsumableCapacity')
    ? [fieldError.required(path, 'exactly one of `matchAttribute` or `distinctAttribute` is required')]
    : [fieldError.required(`${path}.matchAttribute`)];
};

const Constraint = struct(
  'resource.v1.DeviceConstraint',
  'A condition on several devices of a claim.',
  {
    requests: f.list(1, items.string, {
      doc: 'Requests whose devices it applies to; all when empty.',
      listType: 'atomic',
      maxItems: MAX_REQUESTS,
    }),
    matchAttribute: f.string(2, {
      doc: 'Attribute that has the same value in all devices.',
      presence: 'pointer',
    }),
    distinctAttribute: f.string(3, {
      doc: 'Attribute that has another value in each device.',
      presence: 'pointer',
      ...consumable,
    }),
  },
  { checks: [checkConstraint] },
);

const checkClaim: Check<DeviceClaim> = (claim, context) => {
  const { path, since } = context;
  const { requests, constraints = [], config = [] } = claim;
  const known = requestNames(claim);
  return [
    ...checkUnique(`${path}.requests`, requests ?? [], ({ name = '' }) => name, fieldOfDuplicates(since)),
    ...constraints.flatMap((constraint, i) =>
      checkRequestNames(`${path}.constraints[${i}].requests`, constraint.requests, known),
    ),
    ...config.flatMap((one, i) => checkRequestNames(`${path}.config[${i}].requests`, one.requests, known)),
    ...checkDerivedAttributes(claim, context),
  ];
};

/** The specification of a claim in a version, whose requests have the given schema. */
const claimSpecOf = (version: string, request: StructSchema): StructSchema => {
  const DeviceClaim = struct(
    `resource.${version}.DeviceClaim`,
    'Which devices are claimed, and how they are configured.',
    {
      requests: f.list(1, request, {
        doc: 'Requests that must all be satisfied.',
        presence: 'always',
        openapiRequired: false,
        listType: 'atomic',
        maxItems: MAX_REQUESTS,
      }),
      constraints: f.list(2, Constraint, {
        doc: 'Conditions that the devices together must satisfy.',
        listType: 'atomic',
        maxItems: MAX_CONSTRAINTS,
      }),
      config: configField(3, DeviceClaimConfiguration),
    },
    { checks: [checkClaim] },
  );
  return struct(
    `resource.${version}.ResourceClaimSpec`,
    'What is claimed. It cannot change later.',
    {
      devices: f.struct(1, DeviceClaim, { doc: 'Claimed devices.', presence: 'always' }),
      controller: f.string(2, {
        doc: 'Driver that allocates the claim; the scheduler when empty.',
        ...controllerOnly,
      }),
    },
    { checks: [driverName('controller')] },
  );
};

export const ClaimSpec = claimSpecOf('v1', Request);
export const ClaimSpecV1Beta1 = claimSpecOf('v1beta1', RequestV1Beta1);
