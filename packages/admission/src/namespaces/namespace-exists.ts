import type { ApiObject } from '@orch/machinery';
import { whenFulfilled } from '@orch/machinery';
import { namedClass } from '../shared/named-class.ts';
import type { AdmissionPlugin } from '../types.ts';
import { type NamespaceParts, namespaceNotFound, writesInNamespaces } from './namespace-parts.ts';

/** `NamespaceExists`: nothing is written or deleted in a namespace that does not exist. */
export const namespaceExists = ({ source }: Pick<NamespaceParts, 'source'>): AdmissionPlugin => ({
  name: 'NamespaceExists',
  handles: writesInNamespaces('CREATE', 'UPDATE', 'DELETE'),
  precheck: ({ namespace: name, signal }) =>
    whenFulfilled(namedClass<ApiObject>(source, 'namespaces', { name, signal }), (found): undefined => {
      if (found === undefined) throw namespaceNotFound(name);
    }),
});
