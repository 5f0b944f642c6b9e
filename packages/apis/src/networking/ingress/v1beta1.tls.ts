import { f, items, struct } from '@orch/schema';

export const IngressTLS = struct('networking.v1beta1.IngressTLS', 'A certificate, and the hosts it is for.', {
  hosts: f.list(1, items.string, { doc: 'Names in the certificate.' }),
  secretName: f.string(2, { doc: 'Secret with certificate and key.' }),
});
