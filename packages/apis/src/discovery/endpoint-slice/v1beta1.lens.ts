import { isJsonObject, type MutableJsonObject } from '@orch/machinery/json';
import { type Lens, type LosslessOptions, lossless, within } from '@orch/schema';
import { EndpointSlice as Hub } from './v1.ts';

/** Removes a label from a map and returns it. */
function pull(labels: MutableJsonObject, key: string): unknown {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  delete labels[key];
  return value;
}

/**
 * Node and zone are fields in the hub, and labels of the topology here. A node label that differs from the field stays
 * among the labels.
 */
const endpoint: Lens = {
  toHub(value, { names: { labels } }) {
    const topology = isJsonObject(value.topology) ? value.topology : {};
    delete value.topology;
    const zone = pull(topology, labels.topologyZone);
    if (zone !== undefined) value.zone = zone;
    const node = Object.hasOwn(topology, labels.hostname) ? topology[labels.hostname] : undefined;
    value.nodeName ??= node;
    if (value.nodeName === node) delete topology[labels.hostname];
    if (Object.keys(topology).length > 0) value.deprecatedTopology = topology;
  },
  fromHub(value, { names: { labels } }) {
    const { deprecatedTopology, nodeName } = value;
    const topology = isJsonObject(deprecatedTopology) ? deprecatedTopology : {};
    delete value.deprecatedTopology;
    const zone = pull(value, 'zone');
    if (zone !== undefined) topology[labels.topologyZone] = zone;
    if (nodeName !== undefined && !Object.hasOwn(topology, labels.hostname)) {
      topology[labels.hostname] = nodeName;
    }
    if (Object.keys(topology).length > 0) value.topology = topology;
  },
};

/** Converts between a version with topology labels and the hub. */
export const endpointSliceLens = (older: LosslessOptions['older']): Lens =>
  lossless(within('endpoints[]', endpoint), { hub: Hub, older });
