import { type ComputeDefault, f, struct } from '@orch/schema';

/** Addresses are virtual ones; entries without an address have no mode. */
const vipForAddress: ComputeDefault = ({ ip }) => (typeof ip === 'string' && ip !== '' ? 'VIP' : undefined);

export const PortStatus = struct('core.v1.PortStatus', 'State of one port of a load balancer.', {
  port: f.int32(1, { doc: 'Port number.', presence: 'always' }),
  protocol: f.string(2, {
    doc: 'TCP, UDP or SCTP.',
    presence: 'always',
    openapiEnum: { values: ['SCTP', 'TCP', 'UDP'] },
  }),
  error: f.string(3, { doc: 'Why the port does not work.', presence: 'pointer' }),
});

export const LoadBalancerIngress = struct(
  'core.v1.LoadBalancerIngress',
  'Where a load balancer accepts traffic.',
  {
    ip: f.string(1, { doc: 'Its address.' }),
    hostname: f.string(2, { doc: 'Its name.' }),

    ipMode: f.string(3, {
      doc: 'VIP or Proxy: whether traffic arrives with the address of the load balancer or that of a node or pod.',
      presence: 'pointer',
      default: vipForAddress,
      enum: ['Proxy', 'VIP'],
      openapiEnum: 'never',
      enumChecked: 'elsewhere',
      since: '1.30',
      gate: 'LoadBalancerIPMode',
    }),
    ports: f.list(4, PortStatus, {
      doc: 'State of its ports.',
      listType: 'atomic',
      since: '1.24',
      gate: 'MixedProtocolLBService',
    }),
  },
);

export const LoadBalancerStatus = struct('core.v1.LoadBalancerStatus', 'State of a load balancer.', {
  ingress: f.list(1, LoadBalancerIngress, { doc: 'Where it accepts traffic.' }),
});
