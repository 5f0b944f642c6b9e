import type { OpaqueDeviceConfiguration } from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { type Check, f, items, struct } from '@orch/schema';
import { RawExtension } from '../../../meta/raw.ts';
import { driverName } from '../../../validation-rules.ts';
import { requiredStruct } from './required.ts';

const MAX_PARAMETER_BYTES = 10_240;
const MAX_CONFIGURATIONS = 32;

/** Checks a JSON object in the format of a driver. */
export function checkDriverData(path: string, data: unknown): readonly FieldError[] {
  if (data === undefined || data === null) return [fieldError.required(path, '')];
  if (!isJsonObject(data))
    return [fieldError.invalid(path, '<value omitted>', 'must be a valid JSON object')];
  return Buffer.byteLength(JSON.stringify(data)) > MAX_PARAMETER_BYTES
    ? [fieldError.tooLong(path, MAX_PARAMETER_BYTES)]
    : [];
}

const checkParameters: Check<OpaqueDeviceConfiguration> = ({ parameters }, { path }) =>
  checkDriverData(`${path}.parameters`, parameters);

const OpaqueConfiguration = struct(
  'resource.v1.OpaqueDeviceConfiguration',
  'Parameters that only the driver understands.',
  {
    driver: f.string(1, {
      doc: 'Driver that the parameters are for.',
      presence: 'always',
      required: true,
    }),
    parameters: f.struct(2, RawExtension, {
      doc: 'An object in the format of the driver.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
  { checks: [driverName('driver'), checkParameters] },
);

const DeviceConfiguration = struct(
  'resource.v1.DeviceConfiguration',
  'Configuration of devices in one of several ways.',
  {
    opaque: f.struct(1, OpaqueConfiguration, {
      doc: 'Parameters in the format of a driver.',
      presence: 'pointer',
    }),
  },
);

/** The configuration, whose fields are those of the struct that it is part of. */
const configuration = (num: number) =>
  f.inline(num, DeviceConfiguration, { protoName: 'deviceConfiguration' });

const requests = (num: number) =>
  f.list(num, items.string, {
    doc: 'Requests that it applies to, with `/` and the name of a subrequest or without; all when empty.',
    listType: 'atomic',
    maxItems: MAX_CONFIGURATIONS,
  });

export const DeviceClassConfiguration = struct(
  'resource.v1.DeviceClassConfiguration',
  'Configuration of all devices that are allocated through a class.',
  { deviceConfiguration: configuration(1) },
  { checks: [requiredStruct('opaque')] },
);

export const DeviceClaimConfiguration = struct(
  'resource.v1.DeviceClaimConfiguration',
  'Configuration of devices of a claim.',
  { requests: requests(1), deviceConfiguration: configuration(2) },
  { checks: [requiredStruct('opaque')] },
);

export const DeviceAllocationConfiguration = struct(
  'resource.v1.DeviceAllocationConfiguration',
  'Configuration of allocated devices.',
  {
    source: f.string(1, {
      doc: 'Where it comes from: FromClass or FromClaim.',
      presence: 'always',
      required: true,
      enum: ['FromClaim', 'FromClass'],
      openapiEnum: { since: '1.35' },
    }),
    requests: requests(2),
    deviceConfiguration: configuration(3),
  },
  { checks: [requiredStruct('opaque')] },
);

/** The field with the configurations of a class or claim. */
export const configField = (num: number, of: typeof DeviceClassConfiguration) =>
  f.list(num, of, {
    doc: 'Configurations for the drivers of the devices, in the order in which they apply.',
    listType: 'atomic',
    maxItems: MAX_CONFIGURATIONS,
  });
