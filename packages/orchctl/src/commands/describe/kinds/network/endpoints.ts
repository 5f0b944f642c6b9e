import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import { describeMetadata } from '../../text/metadata.ts';
import { orNone, orUnset } from '../../text/values.ts';

const addressesText = (addresses: readonly kinds.core.EndpointAddress[] = []): string =>
  orNone(addresses.map(({ ip }) => ip).join(','));

export const endpoints = describer<kinds.core.Endpoints>({
  group: 'core',
  kind: 'Endpoints',
  versions: ['v1'],
  describe(out, { metadata, subsets = [] }, { names }) {
    describeMetadata(out, { metadata, names });
    out.line(0, 'Subsets:');
    for (const { addresses, notReadyAddresses, ports = [] } of subsets) {
      out.fields(1, {
        Addresses: addressesText(addresses),
        NotReadyAddresses: addressesText(notReadyAddresses),
      });
      if (ports.length > 0) {
        out.line(1, 'Ports:');
        out.line(2, 'Name', 'Port', 'Protocol');
        out.line(2, '----', '----', '--------');
      }
      for (const { name, port, protocol = '' } of ports) out.line(2, orUnset(name), port, protocol);
      out.line(0);
    }
  },
});
