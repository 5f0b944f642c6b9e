import type { ResourceType } from '../resource-type.ts';
import { podPresets } from './pod-preset/index.ts';

/** The resources of the group, in discovery order. */
export const settingsTypes: readonly ResourceType[] = [podPresets];
