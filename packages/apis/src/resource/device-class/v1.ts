import type * as resource from '@orch/kinds/resource';
import { fieldError } from '@orch/machinery';
import { type Check, f, struct } from '@orch/schema';
import { NodeSelector } from '../../core/shared/selectors.ts';
import { isExtendedResource } from '../../core/shared/validation/resource-names.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import { controllerOnly } from '../shared/control-plane-controller.ts';
import { configField, DeviceClassConfiguration } from '../shared/device/configuration.ts';
import { selectorsField } from '../shared/device/selector.ts';

const checkResourceName: Check<resource.DeviceClassSpec> = (
  { extendedResourceName: name },
  { path, names },
) =>
  name === undefined || isExtendedResource(name, names)
    ? []
    : [fieldError.invalid(`${path}.extendedResourceName`, name, 'must be a valid extended resource name')];

const DeviceClassSpec = struct(
  'resource.v1.DeviceClassSpec',
  'What belongs to the class, and how it is configured.',
  {
    selectors: selectorsField(1),
    config: configField(2, DeviceClassConfiguration),
    suitableNodes: f.struct(3, NodeSelector, {
      doc: 'Nodes on which claims can be allocated whose driver allocates them itself; all when absent.',
      presence: 'pointer',
      ...controllerOnly,
    }),
    extendedResourceName: f.string(4, {
      doc: 'Extended resource of containers that its devices provide.',
      presence: 'pointer',
      gate: 'DRAExtendedResource',
      since: '1.36',
    }),
  },
  { checks: [checkResourceName] },
);

export const DeviceClass = struct(
  'resource.v1.DeviceClass',
  'Devices that can be claimed by the name of their class.',
  {
    metadata: metadataField,
    spec: f.struct(2, DeviceClassSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: { since: '1.37', is: false },
    }),
  },
  { typeMeta: true },
);
