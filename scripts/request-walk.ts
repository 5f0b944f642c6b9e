/**
 * Lists the source files that take part in one request or watch event, by package and folder, as V8 counts their calls:
 * `scripts/node scripts/request-walk.ts [--coverage] [--files]`.
 *
 * Without options the API runs in this process, without sockets, on the model store. With `--coverage` a real server runs in
 * this process, and a table is printed; `--files` also lists the files and their functions.
 */
import { settle } from '@orch/machinery/testing';
import { configMap } from '@orch/registry/testing';
import { ApiFixture } from '@orch/server/testing';
import { programArguments } from '@orch/testkit/program-arguments';
import { CallCoverage } from './walk/call-coverage.ts';
import { printFiles, printFolders, tableHeader, tableRow } from './walk/print-walk.ts';
import { serverWalks } from './walk/server-walks.ts';

const usage = `scripts/node scripts/request-walk.ts [OPTION …]

Lists the source files that take part in one request or watch event: those of the API in this process, on the model store.

  --coverage   of a real server in this process, as a table
  --files      also the files and their functions
`;

const { values: options } = programArguments(usage, {
  options: {
    coverage: { type: 'boolean', default: false },
    files: { type: 'boolean', default: false },
  },
});

if (options.coverage) {
  const walks = await serverWalks();
  if (options.files) for (const { title, walk } of walks) printFiles(title, walk);
  for (const line of tableHeader) console.log(line);
  for (const { title, walk } of walks) console.log(tableRow(title, walk));
} else {
  await printModelWalks();
}

async function printModelWalks(): Promise<void> {
  const configMaps = '/api/v1/namespaces/default/configmaps';
  await using api = await ApiFixture.open();
  using coverage = await CallCoverage.start();
  const create = async (name: string): Promise<void> => void (await api.post(configMaps, configMap(name)));
  const watch = await api.watch(`${configMaps}?watch=true`);
  await create('warm');
  await settle();
  printFolders('POST of an object', await coverage.during(() => create('walked')));
  await settle();
  const read = async (): Promise<void> => void (await api.get(`${configMaps}/walked`));
  printFolders('GET of an object', await coverage.during(read));
  const event = await coverage.during(async () => {
    await create('event');
    await watch.until(3);
  });
  printFolders('event of a watch, with the write that causes it', event);
  watch.stop();
}
