import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledPackage } from '../bundled-packages.ts';
import { platforms } from './platforms.ts';

const pins = join(import.meta.dirname, 'runtime');

/** The runtime as a part of an executable, with the texts that must accompany it. */
export function runtimePackage(): BundledPackage {
  const { optionalDependencies } = JSON.parse(readFileSync(join(pins, 'package.json'), 'utf8')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  const versions = new Set(platforms.map(({ runtimePackage: name }) => optionalDependencies[name]));
  const [version, ...others] = versions;
  if (version === undefined || others.length > 0)
    throw new Error(`the runtimes of all platforms must have one version: ${[...versions].join(', ')}`);
  const texts = ['runtime.txt', 'LGPL-2.1.txt'].map((name) =>
    readFileSync(join(pins, 'licenses', name), 'utf8'),
  );
  return {
    name: 'bun',
    version,
    license: 'MIT AND LGPL-2.1-or-later',
    licenseText: texts.map((text) => text.trim()).join('\n\n'),
  };
}
