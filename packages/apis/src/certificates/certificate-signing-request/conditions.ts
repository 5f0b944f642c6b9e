import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '@orch/kinds/certificates';

type Condition = CertificateSigningRequestCondition;

export type ConditionType = 'Approved' | 'Denied' | 'Failed';

export const conditionsOf = (request: CertificateSigningRequest): readonly Condition[] =>
  request.status?.conditions ?? [];

export const conditionsOfType = (request: CertificateSigningRequest, type: string): readonly Condition[] =>
  conditionsOf(request).filter((condition) => condition.type === type);
