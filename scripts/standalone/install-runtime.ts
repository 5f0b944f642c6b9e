import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Platform } from './platforms.ts';

/** The manifest and the lock file that pin the runtime of each platform. */
const pins = join(import.meta.dirname, 'runtime');

/**
 * Installs the runtime of a platform, which may be another one than this, under `tools`, and returns the path of its executable;
 * undefined when npm cannot install it. npm compares the package with the lock file, and none of its scripts run.
 */
export function installRuntime(platform: Platform, tools: string): string | undefined {
  const folder = join(tools, 'orchctl-runtime', platform.name);
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(pins, file), join(folder, file));
  const npm = spawnSync('npm', [...INSTALL, ...choosing(platform)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const executable = join(folder, 'node_modules', platform.runtimePackage, 'bin', 'bun');
  return npm.status === 0 && existsSync(executable) ? executable : undefined;
}

const INSTALL = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

const choosing = ({ os, cpu }: Platform): readonly string[] => [
  `--os=${os}`,
  `--cpu=${cpu}`,
  ...(os === 'linux' ? ['--libc=glibc'] : []),
];
