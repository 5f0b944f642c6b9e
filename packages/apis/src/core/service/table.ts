import type { Service, ServicePort, ServiceSpec, ServiceStatus } from '@orch/kinds/core';
import type { TableDefinition } from '../../resource-type.ts';
import {
  ageCell,
  ageColumn,
  column,
  labelsText,
  nameCell,
  nameColumn,
  orNone,
  wideColumn,
} from '../../table.ts';
import { loadBalancerText } from '../shared/load-balancer-text.ts';

function externalText(spec: ServiceSpec, status: ServiceStatus): string {
  const addresses = (spec.externalIPs ?? []).join(',');
  switch (spec.type ?? '') {
    case 'ClusterIP':
    case 'NodePort':
      return orNone(addresses);
    case 'LoadBalancer': {
      const balancer = loadBalancerText(status.loadBalancer ?? {});
      return [balancer, addresses].filter((text) => text !== '').join(',') || '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

const portText = (port: ServicePort): string => {
  const nodePort = port.nodePort ?? 0;
  const number = nodePort > 0 ? `${port.port}:${nodePort}` : `${port.port}`;
  return `${number}/${port.protocol ?? ''}`;
};

export const serviceTable: TableDefinition<Service> = {
  columns: [
    nameColumn,
    column('Type', 'How the service is reached: ClusterIP, NodePort, LoadBalancer or ExternalName.'),
    column('Cluster-IP', 'Address within the cluster.'),
    column('External-IP', 'Addresses or names outside the cluster.'),
    column('Port(s)', 'Ports, with node ports and protocols.'),
    ageColumn,
    wideColumn('Selector', 'Labels of the pods of the service.'),
  ],
  cells(service) {
    const spec = service.spec ?? {};
    return [
      nameCell(service),
      spec.type ?? '',
      orNone((spec.clusterIPs ?? [])[0] ?? ''),
      externalText(spec, service.status ?? {}),
      orNone((spec.ports ?? []).map(portText).join(',')),
      ageCell(service),
      labelsText(spec.selector),
    ];
  },
};
