import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import { describeMetadata } from '../../text/metadata.ts';

export const ingressClass = describer<kinds.networking.IngressClass>({
  group: 'networking',
  kind: 'IngressClass',
  versions: ['v1', 'v1beta1'],
  describe(out, { metadata, spec = {} }, { names }) {
    describeMetadata(out, { metadata, names }, false);
    out.field(0, 'Controller', spec.controller ?? '');
    const { parameters } = spec;
    if (parameters === undefined) return;
    out.line(0, 'Parameters:');
    if (parameters.apiGroup !== undefined) out.field(1, 'APIGroup', parameters.apiGroup);
    out.fields(1, { Kind: parameters.kind, Name: parameters.name });
  },
});
