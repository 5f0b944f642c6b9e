import { f, struct } from '@orch/schema';
import { NodeSelector } from '../../core/shared/selectors.ts';
import { metadataField, specField } from '../../meta/standard-fields.ts';
import { checkClusterCidr } from './validation.ts';

const ClusterCIDRSpec = struct(
  'networking.v1alpha1.ClusterCIDRSpec',
  'Ranges from which nodes are assigned ranges of pod addresses. It is immutable.',
  {
    nodeSelector: f.struct(1, NodeSelector, {
      doc: 'Nodes that the ranges are for; all when absent.',
      presence: 'pointer',
      immutable: true,
    }),
    perNodeHostBits: f.int32(2, {
      doc: 'Size of the range of a node, in bits of an address; at least 4.',
      presence: 'always',
      immutable: true,
    }),
    ipv4: f.string(3, {
      doc: 'Range of IPv4 addresses.',
      presence: 'always',
      openapiRequired: false,
      immutable: true,
    }),
    ipv6: f.string(4, {
      doc: 'Range of IPv6 addresses.',
      presence: 'always',
      openapiRequired: false,
      immutable: true,
    }),
  },
  { checks: [checkClusterCidr] },
);

export const ClusterCIDR = struct(
  'networking.v1alpha1.ClusterCIDR',
  'Addresses for the pods of some nodes.',
  {
    metadata: metadataField,
    spec: specField(ClusterCIDRSpec),
  },
  { typeMeta: true },
);
