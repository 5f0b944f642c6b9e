/**
 * Reduces the current folder, a copy of the repository, to what the installation of the build's dependencies depends on: the lock
 * file and the manifests, without tools that only checks and tests need. `npm ci` then installs the pinned versions of the rest.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const bundlers = ['esbuild', 'vite'];

for (const entry of globSync('packages/*/*')) {
  if (basename(entry) !== 'package.json') rmSync(entry, { recursive: true });
}
const {
  optionalDependencies: _,
  devDependencies,
  ...manifest
} = JSON.parse(readFileSync('package.json', 'utf8'));
const kept = Object.fromEntries(bundlers.map((name) => [name, devDependencies[name]]));
const reduced = { ...manifest, devDependencies: kept };
writeFileSync('package.json', `${JSON.stringify(reduced, null, 2)}\n`);
