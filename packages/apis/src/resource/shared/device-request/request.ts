import type { DeviceRequest, DeviceRequestV1beta1 } from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import { type Check, type CheckContext, f, struct } from '@orch/schema';
import { checkUnique } from '../../../validation-rules.ts';
import { selectorsField } from '../device/selector.ts';
import { tolerationsField } from '../device/taint.ts';
import { derivedAttributesField } from './derived-attribute.ts';
import {
  adminAccessField,
  capacityField,
  checkCount,
  countFields,
  ExactRequest,
  firstAvailable,
  firstAvailableV1Beta1,
  named,
  requestNameField,
} from './exact.ts';

/** What an error about a second request of the same name names: before 1.35, the name. */
export const fieldOfDuplicates = (since: CheckContext['since']): string => (since('1.35') ? '' : 'name');

const subName = ({ name = '' }: { readonly name?: string }): string => name;

function checkVariant(path: string, isExact: boolean, hasAlternatives: boolean): readonly FieldError[] {
  const why = 'exactly one of `exactly` or `firstAvailable` is required';
  if (!isExact && !hasAlternatives) return [fieldError.required(path, why)];
  return isExact && hasAlternatives
    ? [fieldError.invalid(path, null, `${why}, but multiple fields are set`)]
    : [];
}

const checkRequest: Check<DeviceRequest> = ({ exactly, firstAvailable: list = [] }, { path, since }) => [
  ...checkVariant(path, exactly !== undefined, list.length > 0),
  ...checkUnique(`${path}.firstAvailable`, list, subName, fieldOfDuplicates(since)),
];

export const Request = struct(
  'resource.v1.DeviceRequest',
  'A request for devices: exactly what it says, or the first available alternative.',
  {
    name: requestNameField,
    exactly: f.struct(2, ExactRequest, {
      doc: 'The devices; not together with firstAvailable.',
      presence: 'pointer',
    }),
    firstAvailable,
  },
  { checks: [named, checkRequest] },
);

/** The fields of the first version that are in `exactly` in later ones. */
export const exactFields = [
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
  'derivedAttributes',
] as const;

const isEmpty = (value: unknown): boolean => value === undefined || value === '' || value === 0;

/** Reports whether a request in the first version has a field that is in `exactly` in later ones. */
export const isExact = (request: Readonly<Record<string, unknown>>): boolean =>
  exactFields.some((name) => !isEmpty(request[name]));

const checkFlatRequest: Check<DeviceRequestV1beta1> = (request, { path, since }) => {
  const { deviceClassName = '', firstAvailable: list = [] } = request;
  const exact = isExact(request);
  return [
    ...checkVariant(path, exact, list.length > 0),
    ...(exact && list.length === 0 && deviceClassName === ''
      ? [fieldError.required(`${path}.deviceClassName`, '')]
      : []),
    ...(list.length === 0 ? checkCount(path, request) : []),
    ...checkUnique(`${path}.firstAvailable`, list, subName, fieldOfDuplicates(since)),
  ];
};

/** A request with alternatives has no mode. */
const modeOf = ({ deviceClassName = '' }: DeviceRequestV1beta1): string | undefined =>
  deviceClassName === '' ? undefined : 'ExactCount';

export const RequestV1Beta1 = struct(
  'resource.v1beta1.DeviceRequest',
  'A request for devices of one class, or for the first available alternative.',
  {
    name: requestNameField,
    deviceClassName: f.string(2, {
      doc: 'Class of the devices; not together with firstAvailable, as the other fields.',
      presence: 'always',
      openapiRequired: { since: '1.33', is: false },
      format: 'dns1123subdomain',
    }),
    selectors: selectorsField(3),
    ...countFields(4, modeOf),
    adminAccess: adminAccessField(6),
    firstAvailable: firstAvailableV1Beta1,
    tolerations: tolerationsField(8),
    capacity: capacityField(9),
    derivedAttributes: derivedAttributesField(10),
  },
  { checks: [named, checkFlatRequest] },
);
