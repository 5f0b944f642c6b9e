/**
 * Builds the image with the first builder that works here (`make image`): docker, podman or buildah. Tags it with the version and
 * as `orch:local`, the name that docker-compose.yml uses.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const builders = ['docker', 'podman', 'buildah'];

/** Reports whether the builder is installed, and its daemon, when it has one, answers. */
const works = (builder: string): boolean => spawnSync(builder, ['info'], { stdio: 'ignore' }).status === 0;

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const facts = {
  VERSION: version,
  REVISION: git('rev-parse', 'HEAD'),
  CREATED: git('log', '-1', '--format=%cI'),
};

const builder = builders.find(works);
if (builder === undefined) {
  console.error(`no image builder works here: start or install ${builders.join(', ')}`);
  console.error(
    "'scripts/node scripts/test.ts test/deploy/image' carries out the steps of the Dockerfile without one",
  );
  process.exit(1);
}
const { status } = spawnSync(
  builder,
  [
    'build',
    ...Object.entries(facts).map(([name, value]) => `--build-arg=${name}=${value}`),
    ...[version, 'local'].map((tag) => `--tag=orch:${tag}`),
    '.',
  ],
  // BuildKit takes only what the last stage needs, and reports each step.
  { cwd: root, stdio: 'inherit', env: { ...process.env, DOCKER_BUILDKIT: '1' } },
);
process.exit(status ?? 1);
