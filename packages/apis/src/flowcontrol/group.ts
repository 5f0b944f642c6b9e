import type { ResourceType } from '../resource-type.ts';
import { flowSchemas } from './flow-schema/index.ts';
import { priorityLevelConfigurations } from './priority-level-configuration/index.ts';

/** The resources of flow control, in discovery order. */
export const flowcontrolTypes: readonly ResourceType[] = [flowSchemas, priorityLevelConfigurations];
