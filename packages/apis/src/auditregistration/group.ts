import type { ResourceType } from '../resource-type.ts';
import { auditSinks } from './audit-sink/index.ts';

/** The resources of audit registration, in discovery order. */
export const auditregistrationTypes: readonly ResourceType[] = [auditSinks];
