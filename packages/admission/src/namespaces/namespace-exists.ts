import { withNamespace } from '../shared/namespaces.ts';
import type { AdmissionPlugin } from '../types.ts';
import { type NamespaceParts, namespaceNotFound, writesInNamespaces } from './namespace-parts.ts';

/** `NamespaceExists`: nothing is written or deleted in a namespace that does not exist. */
export const namespaceExists = ({ source }: Pick<NamespaceParts, 'source'>): AdmissionPlugin => ({
  name: 'NamespaceExists',
  handles: writesInNamespaces('CREATE', 'UPDATE', 'DELETE'),
  precheck: (write) =>
    withNamespace(source, write, (found) => {
      if (found === undefined) throw namespaceNotFound(write.namespace);
      return undefined;
    }),
});
