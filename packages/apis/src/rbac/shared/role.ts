import { PolicyRule } from './policy-rule.ts';
import { rolesOf } from './roles.ts';

export const { Role, ClusterRole } = rolesOf('v1', PolicyRule);
