import type { DeviceTaintSelector } from '@orch/kinds/resource';
import { type Check, f, struct } from '@orch/schema';
import { Condition } from '../../meta/condition.ts';
import { metadataField, statusField } from '../../meta/standard-fields.ts';
import { driverName } from '../../validation-rules.ts';
import { checkPoolName } from '../shared/device/names.ts';
import { selectorsField } from '../shared/device/selector.ts';
import { DeviceTaint } from '../shared/device/taint.ts';

const MAX_CONDITIONS = 8;
/** The release in which a rule no longer selects by class or expression. */
const NAMES_ONLY = { until: '1.35' } as const;

const checkPool: Check<DeviceTaintSelector> = ({ pool }, { path }) =>
  pool === undefined ? [] : checkPoolName(`${path}.pool`, pool);

const Selector = struct(
  'resource.v1.DeviceTaintSelector',
  'Selects the devices that have all of the given names; all devices without any.',
  {
    deviceClassName: f.string(1, {
      doc: 'Class of the devices.',
      presence: 'pointer',
      format: 'dns1123subdomain',
      ...NAMES_ONLY,
    }),
    driver: f.string(2, { doc: 'Driver of the devices.', presence: 'pointer' }),
    pool: f.string(3, { doc: 'Pool of the devices.', presence: 'pointer' }),
    device: f.string(4, {
      doc: 'Name of the devices.',
      presence: 'pointer',
      format: 'dns1123label',
      emptyIsInvalid: true,
    }),
    selectors: { ...selectorsField(5), ...NAMES_ONLY },
  },
  { checks: [driverName('driver'), checkPool] },
);

const Spec = struct('resource.v1.DeviceTaintRuleSpec', 'The taint, and the devices that get it.', {
  deviceSelector: f.struct(1, Selector, { doc: 'Devices that get the taint.', presence: 'pointer' }),
  taint: f.struct(2, DeviceTaint, {
    doc: 'The taint of the selected devices.',
    presence: 'always',
    openapiRequired: true,
  }),
});

const Status = struct('resource.v1.DeviceTaintRuleStatus', 'What is known about the effect of the rule.', {
  conditions: f.list(1, Condition, {
    doc: 'Aspects of the effect, by type, such as an eviction in progress.',
    listType: 'map',
    mapKeys: ['type'],
    patchStrategy: 'merge',
    patchMergeKey: 'type',
    maxItems: MAX_CONDITIONS,
    uniqueBy: 'type',
  }),
});

export const DeviceTaintRule = struct(
  'resource.v1.DeviceTaintRule',
  'Gives a taint to devices, besides those that their driver publishes.',
  {
    metadata: metadataField,
    spec: f.struct(2, Spec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
    }),
    status: { ...statusField(Status), since: '1.35' },
  },
  { typeMeta: true },
);
