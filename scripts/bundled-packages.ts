import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A third-party package whose code is in the bundled programs. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, as the package declares it. */
  readonly license: string;
  /** The texts of its licence and notice files. */
  readonly licenseText: string;
}

/** The report of esbuild about its outputs: the files that each was made from. */
export interface BundleReport {
  readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>>;
}

const licenseFile = /^(licen[cs]e|copying|notice)(\.|-|$)/i;
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * The third-party packages in bundles, by name and version. Throws for one that declares no licence or has no text of
 * it: it may not be distributed.
 */
export function bundledPackages(reports: readonly BundleReport[], root: string): readonly BundledPackage[] {
  const outputs = reports.flatMap((report) => Object.values(report.outputs));
  const inputs = outputs.flatMap((output) => Object.keys(output.inputs));
  const folders = new Set(inputs.flatMap((input) => packageFolder.exec(input)?.[0] ?? []));
  const found = new Map(
    [...folders].map((folder) => {
      const bundled = readPackage(join(root, folder));
      return [`${bundled.name}@${bundled.version}`, bundled];
    }),
  );
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bundled]) => bundled);
}

function readPackage(folder: string): BundledPackage {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest as Partial<Record<string, unknown>>;
  const texts = readdirSync(folder)
    .filter((file) => licenseFile.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new Error(`${folder} has no name or version`);
  if (typeof license !== 'string' || texts.length === 0)
    throw new Error(`${name} ${version} has no licence, or no text of it: do not bundle it`);
  return { name, version, license, licenseText: texts.join('\n\n') };
}

/** The licences of the bundled packages as one string, which is distributed with the programs. */
export function licensesText(packages: readonly BundledPackage[]): string {
  const line = '-'.repeat(80);
  return packages
    .map(
      ({ name, version, license, licenseText }) =>
        `${line}\n${name} ${version} (${license})\n${line}\n\n${licenseText}\n`,
    )
    .join('\n');
}
