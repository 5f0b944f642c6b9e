import { bindingsOf } from './bindings.ts';
import { Subject } from './subject.ts';

export const { RoleBinding, ClusterRoleBinding } = bindingsOf('v1', Subject);
