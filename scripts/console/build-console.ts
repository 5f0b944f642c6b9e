import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BundleReport } from '../bundled-packages.ts';

/** A file of the console, as the programs that serve it contain it. */
export interface ConsoleFile {
  /** Below the address of the page: `index.html`, `assets/main-3fb1.js`. */
  readonly path: string;
  readonly type: string;
  /** Compressed with gzip, in base64. */
  readonly gzip: string;
}

/** The built console. */
export interface BuiltConsole {
  readonly files: readonly ConsoleFile[];
  /** The modules in it, for their licences. */
  readonly report: BundleReport;
}

interface Kept extends BuiltConsole {
  /** Hashes of the files that the result was made from, by path. */
  readonly made: Readonly<Record<string, string>>;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Builds the console of the checkout `root` with Vite, or returns the last result if none of its files has changed. */
export async function buildConsole(root: string): Promise<BuiltConsole> {
  const kept = join(root, 'node_modules/.cache/console.json');
  const last = readKept(kept);
  if (last !== undefined && Object.entries(last.made).every(([path, hash]) => hashOf(root, path) === hash))
    return last;
  const fresh = await viteBuild(root);
  mkdirSync(join(kept, '..'), { recursive: true });
  writeFileSync(`${kept}.${process.pid}`, JSON.stringify(fresh));
  renameSync(`${kept}.${process.pid}`, kept);
  return fresh;
}

function readKept(path: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function hashOf(root: string, path: string): string | undefined {
  try {
    return createHash('sha256')
      .update(readFileSync(join(root, path)))
      .digest('hex');
  } catch {
    return undefined;
  }
}

async function viteBuild(root: string): Promise<Kept> {
  const { build } = await import('vite');
  const modules = new Set<string>();
  const result = await build({
    root: join(root, 'packages/console'),
    configFile: false,
    logLevel: 'warn',
    // The address of the page has a random part.
    base: './',
    publicDir: false,
    build: {
      write: false,
      target: ['chrome123', 'firefox121', 'safari17.5'],
      modulePreload: { polyfill: false },
      // A data: address would be refused by the policy of the page.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
    plugins: [
      {
        name: 'modules-of-the-console',
        enforce: 'pre',
        // Packages that the console imports use modules of Node elsewhere: those parts must not get into the page.
        resolveId: (id) => (id.startsWith('node:') ? { id, external: true, moduleSideEffects: false } : null),
        generateBundle(_options, bundle) {
          for (const output of Object.values(bundle)) {
            if (output.type !== 'chunk') continue;
            for (const id of output.moduleIds) modules.add(id);
            const [wrong] = output.imports.filter((id) => id.startsWith('node:'));
            if (wrong !== undefined)
              throw new Error(`the console imports ${wrong}, which browsers do not have`);
          }
        },
      },
    ],
  });
  if (!('output' in result)) throw new Error('the build of the console has no single output');
  const files = result.output.map((one): ConsoleFile => {
    const bytes = one.type === 'chunk' ? one.code : one.source;
    const type = types[one.fileName.split('.').at(-1) ?? ''];
    if (type === undefined) throw new Error(`the console has a file of an unknown type: ${one.fileName}`);
    return { path: one.fileName, type, gzip: gzipSync(bytes, { level: 9 }).toString('base64') };
  });
  const paths = [...modules]
    .map((id) => relative(root, id.replace(/^\0/, '').replace(/\?.*$/, '')))
    .filter((path) => hashOf(root, path) !== undefined);
  const inputs = [
    ...paths,
    ...['packages/console/index.html', 'package-lock.json'],
    ...['console', 'object'].map((name) => `packages/console/src/${name}.css`),
    relative(root, import.meta.filename),
  ];
  return {
    files,
    report: { outputs: { console: { inputs: Object.fromEntries(paths.map((path) => [path, {}])) } } },
    made: Object.fromEntries(inputs.map((path) => [path, hashOf(root, path) ?? ''])),
  };
}
