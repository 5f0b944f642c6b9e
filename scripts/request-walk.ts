/**
 * Lists the source files that take part in one request or watch event, by package and folder, as V8 counts their calls:
 * `scripts/node scripts/request-walk.ts`. The API runs in this process, without sockets, on the model store.
 */
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settle } from '@orch/machinery/testing';
import { configMap } from '@orch/registry/testing';
import { ApiFixture } from '@orch/server/testing';

const root = join(import.meta.dirname, '..');
const configMaps = '/api/v1/namespaces/default/configmaps';

await using api = await ApiFixture.open();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Source files of packages with a function that `work` called. */
async function walk(work: () => Promise<void>): Promise<readonly string[]> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url, functions }) => url.startsWith('file:') && functions.some(hasCalls))
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .filter((file) => /^packages\/[^/]+\/src\//.test(file) && !file.includes('/testing/'))
    .sort();
}

const hasCalls = (one: {
  readonly functionName: string;
  readonly ranges: readonly { readonly count: number }[];
}): boolean => one.functionName !== '' && one.ranges.some(({ count }) => count > 0);

const folderOf = (file: string): string =>
  file
    .replace(/^packages\//, '')
    .replace(/\/src\//, '/')
    .split('/')
    .slice(0, 2)
    .join('/')
    .replace(/\/[^/]+\.ts$/, '');

function print(title: string, files: readonly string[]): void {
  const folders = Map.groupBy(files, folderOf);
  console.log(`${title}: ${files.length} files, ${folders.size} folders`);
  for (const [folder, all] of folders) console.log(`  ${String(all.length).padStart(3)} ${folder}`);
}

const create = async (name: string): Promise<void> => void (await api.post(configMaps, configMap(name)));
const watch = await api.watch(`${configMaps}?watch=true`);
await create('warm');
await settle();
print('POST of an object', await walk(() => create('walked')));
await settle();
print('GET of an object', await walk(async () => void (await api.get(`${configMaps}/walked`))));
print(
  'event of a watch, with the write that causes it',
  await walk(async () => {
    await create('event');
    await watch.until(3);
  }),
);
watch.stop();
