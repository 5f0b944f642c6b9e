import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { run, temporaryFolder } from '@orch/testkit';
import { INSTALL_MS, nodeTypesOf, packageTools } from '@orch/testkit/package-tools';

const root = join(import.meta.dirname, '..', '..');
const tools = await packageTools();

/** What files use although Node 20 lacks it, each of them behind a check or out of reach of a test control plane. */
const exceptions = [
  'packages/apiserver/src/certificates/file-lock.ts node:sqlite',
  'packages/backup/src/format/frame.ts zstdCompress',
  'packages/backup/src/format/frame.ts zstdDecompress',
  'packages/history/src/record/change-value.ts zstdCompressSync',
  'packages/history/src/record/change-value.ts zstdDecompressSync',
  // An option that Node 20 ignores: it drops fields with a blank at their end.
  'packages/http/src/http2/session.ts strictFieldWhitespaceValidation',
  // A type.
  'packages/program/src/flags/parse.ts ParseArgsOptionDescriptor',
  // Further threads, which a control plane does not have.
  'packages/program/src/process/thread-metrics.ts threadCpuUsage',
];
/** The embedded store is loaded by the servers that use it. */
const embedded = 'packages/storage/src/embedded/';

/** Names that the compiler does not find in the declarations of an older platform. */
const missing =
  /^(\S+?)\(\d+,\d+\): error TS(?:2305|2339|2353|2550|2551|2591): .*?(?:'node:[a-z]+' has|Property|property|[Mm]ember|specify known properties, and|Cannot find name) '([\w:]+)'/gm;

/** The functions that `scripts/packages/older-node.ts` replaces. */
const replaced = `interface PromiseConstructor {
  withResolvers<T>(): PromiseWithResolvers<T>;
}
interface PromiseWithResolvers<T> {
  promise: Promise<T>;
  resolve: (value: T | PromiseLike<T>) => void;
  reject: (reason?: unknown) => void;
}
interface MapConstructor {
  groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]>;
}
`;

/** The files that the packages are made from. */
function entries(): readonly string[] {
  const exported = ['client', 'testing'].flatMap((source) => {
    const text = readFileSync(join(root, 'packages', source, 'package.json'), 'utf8');
    const { exports } = JSON.parse(text) as { readonly exports: Readonly<Record<string, string>> };
    return Object.values(exports).map((file) => join('packages', source, file));
  });
  return [...exported, 'packages/testing/src/dev/main.ts', 'packages/client/src/custom-types/main.ts'];
}

describe('the code of the packages for npm on Node 20', {
  skip: 'missing' in tools && tools.missing,
  timeout: 900_000,
}, () => {
  it('the packages use only functions that Node 20 has, that the build replaces, or that code looks for first', async () => {
    using folder = temporaryFolder();
    const types = nodeTypesOf(tools) ?? '';
    mkdirSync(join(folder.path, 'types'));
    symlinkSync(dirname(types), join(folder.path, 'types', 'node'));
    writeFileSync(join(folder.path, 'replaced.d.ts'), replaced);
    const config = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        ...{ composite: false, declaration: false, emitDeclarationOnly: false, noEmit: true },
        lib: ['es2023', 'es2024.string', 'es2024.sharedmemory', 'es2024.arraybuffer', 'esnext.disposable'],
        typeRoots: [join(folder.path, 'types')],
      },
      files: [...entries().map((file) => join(root, file)), join(folder.path, 'replaced.d.ts')],
    };
    writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(root, 'node_modules', 'typescript', 'lib', 'tsc.js');
    const { stdout } = await run(process.execPath, [compiler, '-p', join(folder.path, 'tsconfig.json')], {
      cwd: root,
      timeoutMs: INSTALL_MS,
    });
    const found = Array.from(stdout.matchAll(missing), ([, file = '', name = '']) => `${file} ${name}`);
    assert.deepEqual(
      found.filter((one) => !one.startsWith(embedded)),
      exceptions,
      stdout,
    );
  });
});
