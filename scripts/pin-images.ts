/**
 * Reads the current digests of the images that the Dockerfiles and docker-compose.yml name from their registries, and
 * writes them; with `--check` it only reports older ones. `scripts/node scripts/pin-images.ts [--check] [ROOT]`.
 * Registries are accessed with skopeo, or docker with buildx.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageFiles, pinnedImage } from '../test/architecture/image-files.ts';

const root = process.argv.slice(2).find((each) => !each.startsWith('--')) ?? join(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');

const resolvers: readonly {
  readonly program: string;
  readonly args: (image: string) => readonly string[];
}[] = [
  { program: 'skopeo', args: (image) => ['inspect', '--format={{.Digest}}', `docker://${image}`] },
  {
    program: 'docker',
    args: (image) => ['buildx', 'imagetools', 'inspect', '--format={{.Manifest.Digest}}', image],
  },
];
const resolver = resolvers.find(
  ({ program }) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0,
);
if (resolver === undefined)
  throw new Error(`none of ${resolvers.map(({ program }) => program).join(', ')} is found`);

const known = new Map<string, string>();
function digestOf(image: string): string {
  const digest =
    known.get(image) ??
    execFileSync(resolver?.program ?? '', resolver?.args(image) ?? [], { encoding: 'utf8' }).trim();
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`not a digest of ${image}: ${digest}`);
  known.set(image, digest);
  return digest;
}

let changed = 0;
for (const file of imageFiles(root)) {
  const text = readFileSync(join(root, file), 'utf8');
  const updated = text.replace(pinnedImage, (pin, image: string) => {
    const present = `${image}@${digestOf(image)}`;
    if (present !== pin) console.log(`${file}: ${image} is now ${digestOf(image)}`);
    return present;
  });
  if (updated === text) continue;
  changed += 1;
  if (!isCheck) writeFileSync(join(root, file), updated);
}
console.log(`${changed} files ${isCheck ? 'have older digests' : 'changed'}`);
process.exit(isCheck && changed > 0 ? 1 : 0);
