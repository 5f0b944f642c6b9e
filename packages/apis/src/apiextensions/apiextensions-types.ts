import type { ResourceType } from '../resource-type.ts';
import { customResourceDefinitions } from './v1/custom-resource-definition.ts';

export const apiextensionsTypes: readonly ResourceType[] = [customResourceDefinitions];
