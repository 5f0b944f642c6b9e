import type { PodCertificateRequest } from '@orch/kinds/certificates';
import type { Condition } from '@orch/kinds/meta';

/** The conditions that end a request. */
export const results: readonly string[] = ['Issued', 'Denied', 'Failed'];

export const conditionsOf = ({ status }: PodCertificateRequest): readonly Condition[] =>
  status?.conditions ?? [];

/** The result of a request; undefined while it is pending. */
export const resultOf = (request: PodCertificateRequest): string | undefined =>
  conditionsOf(request).find(({ type = '' }) => results.includes(type))?.type;
