import type { EndpointSlice } from '@orch/kinds/discovery';
import { jsonEquals } from '@orch/machinery/json';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { validateEndpointSlice } from './validation.ts';
import { endpointSliceWarnings } from './warnings.ts';

/** `deprecatedTopology` keeps the topology set through older versions; clients of the hub version cannot set it. */
function dropTopology(slice: EndpointSlice): void {
  for (const endpoint of slice.endpoints ?? []) {
    delete (endpoint as Record<string, unknown>).deprecatedTopology;
  }
}

export const endpointSliceStrategy: Strategy<EndpointSlice> = strategyOf({
  generation: 'spec',
  prepareForCreate(next, { requestVersion }) {
    if (requestVersion === 'discovery/v1') dropTopology(next);
  },
  prepareForUpdate(next, old, { requestVersion }) {
    // Labels say what a slice is for, so they count as content.
    if (!jsonEquals(next.metadata.labels ?? {}, old.metadata.labels ?? {}))
      next.metadata.generation = (old.metadata.generation ?? 0) + 1;
    const isOurs = requestVersion === 'discovery/v1';
    if (isOurs && !jsonEquals(next.endpoints, old.endpoints)) dropTopology(next);
  },
  validate: validateEndpointSlice,
  warnings: endpointSliceWarnings,
});
