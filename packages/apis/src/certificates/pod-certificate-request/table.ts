import type { PodCertificateRequest } from '@orch/kinds/certificates';
import type { TableDefinition } from '../../resource-type.ts';
import { column, nameCell, nameColumn } from '../../table.ts';
import { conditionsOf } from './conditions.ts';

/** `a=1,b=2`, by key. */
const annotationText = (annotations: Readonly<Record<string, string>> = {}): string =>
  Object.keys(annotations).length === 0
    ? '<none>'
    : Object.entries(annotations)
        .map(([key, value]) => `${key}=${value}`)
        .toSorted()
        .join();

export const podCertificateRequestTable: TableDefinition<PodCertificateRequest> = {
  columns: [
    nameColumn,
    column('PodName', 'Name of the pod.'),
    column('ServiceAccountName', 'Service account of the pod.'),
    column('NodeName', 'Node on which the pod runs.'),
    column('SignerName', 'Signer that is to issue the certificate.'),
    column('State', 'Pending, Issued, Denied or Failed.'),
    { ...column('UnverifiedUserAnnotations', 'Information of the author of the pod.'), since: '1.35' },
  ],
  cells(request) {
    const { spec = {} } = request;
    return [
      nameCell(request),
      spec.podName ?? '',
      spec.serviceAccountName ?? '',
      spec.nodeName ?? '',
      spec.signerName ?? '',
      conditionsOf(request)[0]?.type ?? 'Pending',
      annotationText(spec.unverifiedUserAnnotations),
    ];
  },
};
