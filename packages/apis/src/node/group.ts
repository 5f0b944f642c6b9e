import type { ResourceType } from '../resource-type.ts';
import { runtimeClasses } from './runtime-class/index.ts';

/** The resources of runtimes, in discovery order. */
export const nodeTypes: readonly ResourceType[] = [runtimeClasses];
