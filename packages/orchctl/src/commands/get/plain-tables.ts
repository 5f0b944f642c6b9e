import type { ListOptions, ResourceClient, Table } from '@orch/client';
import type { ApiObject } from '@orch/machinery';

/** Tables of names and creation times, made from objects, for `--server-print=false`. */
export const plainTables = (client: ResourceClient) => ({
  async get(
    name: string,
    { subresource }: { readonly subresource?: string | undefined },
    signal: AbortSignal,
  ): Promise<Table> {
    const object =
      subresource === undefined
        ? await client.get(name, {}, signal)
        : await client.subresource(subresource).get(name, signal);
    return tableOf([object]);
  },
  async *pages(options: ListOptions, signal: AbortSignal): AsyncGenerator<Table, void, undefined> {
    for await (const { items } of client.pages(options, signal)) yield tableOf(items);
  },
});

const tableOf = (objects: readonly ApiObject[]): Table => ({
  columns: [
    { name: 'Name', type: 'string', format: 'name', priority: 0 },
    { name: 'Age', type: 'date', format: 'date-time', priority: 0 },
  ],
  rows: objects.map((object) => ({
    cells: [object.metadata.name ?? '', object.metadata.creationTimestamp ?? '<unknown>'],
    object,
  })),
  resourceVersion: '',
  continue: '',
});
