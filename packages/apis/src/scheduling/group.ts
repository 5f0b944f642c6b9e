import type { ResourceType } from '../resource-type.ts';
import { priorityClasses } from './priority-class/index.ts';

/** The resources of scheduling, in discovery order. */
export const schedulingTypes: readonly ResourceType[] = [priorityClasses];
