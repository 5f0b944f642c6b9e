import type { ResourceType } from '../resource-type.ts';
import { customResourceDefinitions } from './custom-resource-definition/v1.ts';

export const apiextensionsTypes: readonly ResourceType[] = [customResourceDefinitions];
