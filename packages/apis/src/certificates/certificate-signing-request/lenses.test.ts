import { describeLensLaws } from '../../testing/lens-laws.ts';
import { conditionsOf } from './conditions.ts';
import { certificateSigningRequests } from './index.ts';

/** Fields that both versions require, or have a default for. */
describeLensLaws(certificateSigningRequests, {
  tidy(request) {
    const spec = request['spec'] as Record<string, unknown>;
    spec['signerName'] ??= 'example.com/signer';
    for (const condition of conditionsOf(request) as readonly Record<string, unknown>[])
      condition['status'] ||= 'True';
  },
});
