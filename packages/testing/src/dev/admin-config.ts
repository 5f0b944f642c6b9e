import { copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type LoadedConfig, loadConfig } from '@orch/client';
import { messageOf } from '@orch/machinery';
import { StartError } from '@orch/program';

/** The address of every control plane of `orch dev`. */
const LOOPBACK = '127.0.0.1';
/** The time in which a server of this machine answers. */
const ANSWER_MS = 2_000;

/**
 * Checks that a file may get the configuration of a new control plane: it is absent, or that of a control plane that has ended. Rejects
 * with a `StartError` otherwise, because programs that use the file would reach another server from then on.
 */
export async function checkAdminConfig(path: string): Promise<void> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const config = await loadConfig({ files: [path], naming: 'kubernetes', environment: {} }).catch(
    (cause: unknown) => {
      throw new StartError(`--admin-config: ${path} is no client configuration, and is not replaced`, {
        cause,
      });
    },
  );
  const { server } = config.settings;
  try {
    if (new URL(server).hostname !== LOOPBACK)
      throw new StartError(`--admin-config: ${path} is the configuration of ${server}, and is not replaced`);
    if (await answers(config))
      throw new StartError(
        `--admin-config: the control plane of ${path} runs at ${server}: stop it, or name another file`,
      );
  } finally {
    await config.transport.close();
  }
}

async function answers({ transport }: LoadedConfig): Promise<boolean> {
  const request = { method: 'GET', target: '/livez', headers: {} };
  try {
    const { body } = await transport.send(request, AbortSignal.timeout(ANSWER_MS));
    for await (const _ of body);
    return true;
  } catch {
    return false;
  }
}

/** Copies a configuration to a file that only its owner can read. Throws a `StartError`. */
export function writeAdminConfig(source: string, path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    copyFileSync(source, path);
  } catch (cause) {
    throw new StartError(`--admin-config: ${path} cannot be written: ${messageOf(cause)}`, { cause });
  }
}
