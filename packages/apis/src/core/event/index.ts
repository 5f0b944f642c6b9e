import type * as core from '@orch/kinds/core';
import { defineResource } from '../../define-resource.ts';
import { fieldReader, textField } from '../../field-reader.ts';
import type { ResourceType } from '../../resource-type.ts';
import { eventFields, eventLens } from './events-v1.lens.ts';
import { Event as EventsV1Event } from './events-v1.ts';
import { Event as EventsV1Beta1Event } from './events-v1beta1.ts';
import { earlierEventStrategies, eventStrategy } from './strategy.ts';
import { eventTable } from './table.ts';
import { Event } from './v1.ts';

/** Through `events/v1`, the metadata of an event is checked like that of other objects. */
const checkedAsOthers = { unqualifiedFinalizers: false, checksMetadataLast: false };

export const events: ResourceType = defineResource({
  group: '',
  resource: 'events',
  kind: 'Event',
  namespaced: true,
  shortNames: ['ev'],
  versions: [
    { version: 'v1', schema: Event },
    {
      group: 'events',
      version: 'v1',
      schema: EventsV1Event,
      lens: eventLens,
      introduced: '1.19',
      differs: { fields: eventFields, ...checkedAsOthers },
    },
    {
      group: 'events',
      version: 'v1beta1',
      schema: EventsV1Beta1Event,
      lens: eventLens,
      introduced: '1.8',
      deprecated: '1.22',
      removed: '1.25',
      replacement: 'none',
      differs: { fields: eventFields },
    },
  ],
  storedVersion: 'v1',
  nameFormat: 'pathSegment',
  unqualifiedFinalizers: true,
  checksMetadataLast: true,
  table: eventTable,
  strategy: eventStrategy,
  earlier: Object.entries(earlierEventStrategies).map(([before, strategy]) => ({
    before,
    change: { strategy },
  })),
  fields: {
    type: textField('type'),
    reason: textField('reason'),
    source: fieldReader<core.Event>(
      ['source.component', 'reportingComponent'],
      (object) => (object.source?.component ?? '') || (object.reportingComponent ?? ''),
    ),
    reportingComponent: textField('reportingComponent'),
    'involvedObject.kind': textField('involvedObject.kind'),
    'involvedObject.namespace': textField('involvedObject.namespace'),
    'involvedObject.name': textField('involvedObject.name'),
    'involvedObject.uid': textField('involvedObject.uid'),
    'involvedObject.apiVersion': textField('involvedObject.apiVersion'),
    'involvedObject.resourceVersion': textField('involvedObject.resourceVersion'),
    'involvedObject.fieldPath': textField('involvedObject.fieldPath'),
  },
});
