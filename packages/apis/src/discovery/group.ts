import type { ResourceType } from '../resource-type.ts';
import { endpointSlices } from './endpoint-slice/index.ts';

/** The resources of the group, in discovery order. */
export const discoveryTypes: readonly ResourceType[] = [endpointSlices];
