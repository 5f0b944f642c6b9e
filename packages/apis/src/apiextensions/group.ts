import type { ResourceType } from '../resource-type.ts';
import { customResourceDefinitions } from './custom-resource-definition/index.ts';

export const apiextensionsTypes: readonly ResourceType[] = [customResourceDefinitions];
