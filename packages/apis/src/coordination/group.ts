import type { ResourceType } from '../resource-type.ts';
import { leases } from './lease/index.ts';

/** The resources of the group, in discovery order. */
export const coordinationTypes: readonly ResourceType[] = [leases];
