import type { ResourceType } from '../resource-type.ts';
import { apiServices } from './v1/api-service.ts';

export const apiregistrationTypes: readonly ResourceType[] = [apiServices];
