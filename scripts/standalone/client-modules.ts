import { join } from 'node:path';
import { build } from 'esbuild';
import type { BuildFacts } from '../bundle/build-facts.ts';
import { bundlerOptions } from '../bundle/bundler-options.ts';
import { consoleFiles } from '../bundle/console-files.ts';
import { directImports } from '../bundle/direct-imports.ts';
import type { BundleReport } from '../bundled-packages.ts';
import { buildConsole } from '../console/build-console.ts';

/**
 * Bundles `orchctl` into modules in a folder. Each is loaded when a command uses it: a start that loads everything takes longer than
 * the rest of a short command.
 */
export async function clientModules(
  root: string,
  facts: BuildFacts,
  folder: string,
): Promise<{ readonly entry: string; readonly reports: readonly BundleReport[] }> {
  const page = await buildConsole(root);
  const { metafile } = await build({
    ...bundlerOptions(root, facts),
    entryPoints: { orchctl: 'packages/orchctl/src/main.ts' },
    outdir: folder,
    splitting: true,
    chunkNames: '[name]-[hash]',
    plugins: [consoleFiles(page), directImports(root)],
    legalComments: 'none',
    metafile: true,
  });
  return { entry: join(folder, 'orchctl.js'), reports: [metafile, page.report] };
}
