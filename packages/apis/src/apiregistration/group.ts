import type { ResourceType } from '../resource-type.ts';
import { apiServices } from './api-service/index.ts';

export const apiregistrationTypes: readonly ResourceType[] = [apiServices];
