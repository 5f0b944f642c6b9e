import {
  asNumber,
  asObject,
  asObjects,
  asStrings,
  asText,
  type JsonObject,
  specOf,
  statusOf,
} from '../../read.ts';
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

function externalText(spec: JsonObject, status: JsonObject): string {
  const addresses = asStrings(spec['externalIPs']).join(',');
  switch (asText(spec['type'])) {
    case 'ClusterIP':
    case 'NodePort':
      return orNone(addresses);
    case 'LoadBalancer': {
      const balancer = loadBalancerText(asObject(status['loadBalancer']));
      return [balancer, addresses].filter((text) => text !== '').join(',') || '<pending>';
    }
    case 'ExternalName':
      return asText(spec['externalName']);
    default:
      return '<unknown>';
  }
}

const portText = (port: JsonObject): string => {
  const nodePort = asNumber(port['nodePort']);
  const number = nodePort > 0 ? `${port['port']}:${nodePort}` : `${port['port']}`;
  return `${number}/${asText(port['protocol'])}`;
};

export const serviceTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Type', 'How the service is reached: ClusterIP, NodePort, LoadBalancer or ExternalName.'),
    column('Cluster-IP', 'Address within the cluster.'),
    column('External-IP', 'Addresses or names outside the cluster.'),
    column('Port(s)', 'Ports, with node ports and protocols.'),
    ageColumn,
    wideColumn('Selector', 'Labels of the pods behind the service.'),
  ],
  cells(service) {
    const spec = specOf(service);
    return [
      nameCell(service),
      asText(spec['type']),
      orNone(asStrings(spec['clusterIPs'])[0] ?? ''),
      externalText(spec, statusOf(service)),
      orNone(asObjects(spec['ports']).map(portText).join(',')),
      ageCell(service),
      labelsText(spec['selector']),
    ];
  },
};
