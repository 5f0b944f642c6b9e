import { asObject, asObjects, asText, type JsonObject, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, countOf, hostPort, nameCell, nameColumn, orNone } from '../../table.ts';

export const namespaceTable: TableDefinition = {
  columns: [nameColumn, column('Status', 'Active or Terminating.'), ageColumn],
  cells: (namespace) => [nameCell(namespace), asText(statusOf(namespace)['phase']), ageCell(namespace)],
};

export const configMapTable: TableDefinition = {
  columns: [nameColumn, column('Data', 'Number of values.'), ageColumn],
  cells: (object) => [
    nameCell(object),
    countOf(object['data']) + countOf(object['binaryData']),
    ageCell(object),
  ],
};

export const secretTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Type', 'What the secret is for.'),
    column('Data', 'Number of values.'),
    ageColumn,
  ],
  cells: (secret) => [nameCell(secret), asText(secret['type']), countOf(secret['data']), ageCell(secret)],
};

export const serviceAccountTable: TableDefinition = {
  columns: [nameColumn, column('Secrets', 'Number of secrets that its pods may use.'), ageColumn],
  cells: (account) => [nameCell(account), asObjects(account['secrets']).length, ageCell(account)],
};

const shown = 3;

/** The first addresses with their ports, and how many more there are. */
function endpointsText(subsets: readonly JsonObject[]): string {
  const all = subsets.flatMap((subset) => {
    const addresses = asObjects(subset['addresses']).map((address) => asText(address['ip']));
    const ports = asObjects(subset['ports']);
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((address) => hostPort(address, port['port'])));
  });
  const text = all.slice(0, shown).join(',');
  return all.length > shown ? `${text} + ${all.length - shown} more...` : orNone(text);
}

export const endpointsTable: TableDefinition = {
  columns: [nameColumn, column('Endpoints', 'Addresses with their ports.'), ageColumn],
  cells: (endpoints) => [
    nameCell(endpoints),
    endpointsText(asObjects(endpoints['subsets'])),
    ageCell(endpoints),
  ],
};

export const componentStatusTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Status', 'Whether the component works.'),
    column('Message', 'What the component said.'),
    column('Error', 'What went wrong when it was asked.'),
  ],
  cells(component) {
    const health = asObjects(component['conditions']).find((condition) => condition['type'] === 'Healthy');
    const status = health === undefined ? 'Unknown' : health['status'] === 'True' ? 'Healthy' : 'Unhealthy';
    return [nameCell(component), status, asText(health?.['message']), asText(health?.['error'])];
  },
};

/** Used and allowed amounts of the resources that `takes` chooses. */
function quotaText(status: JsonObject, takes: (resource: string) => boolean): string {
  const hard = asObject(status['hard']);
  const used = asObject(status['used']);
  return Object.keys(hard)
    .filter(takes)
    .sort()
    .map((resource) => `${resource}: ${asText(used[resource]) || '0'}/${asText(hard[resource])}`)
    .join(', ');
}

const isLimit = (resource: string): boolean => resource.startsWith('limits');

export const resourceQuotaTable: TableDefinition = {
  columns: [
    nameColumn,
    ageColumn,
    column('Request', 'Used and allowed requests and numbers of objects.'),
    column('Limit', 'Used and allowed limits.'),
  ],
  cells(quota) {
    const status = statusOf(quota);
    const requests = quotaText(status, (resource) => !isLimit(resource));
    return [nameCell(quota), ageCell(quota), requests, quotaText(status, isLimit)];
  },
};
