import type { ResourceType } from '../resource-type.ts';
import { apiServices } from './api-service/v1.ts';

export const apiregistrationTypes: readonly ResourceType[] = [apiServices];
