import { resolve } from 'node:path';
import { homeConfigFile, listedConfigFiles } from '@orch/client';
import type { Io } from '../io.ts';

/** The client configuration files: from the flag, from the environment, or the one in the home folder. */
export function configFiles(
  flag: string,
  io: Pick<Io, 'environment' | 'folder' | 'homeFolder'>,
): readonly string[] {
  if (flag !== '') return [resolve(io.folder, flag)];
  return listedConfigFiles(io) ?? [homeConfigFile(io)];
}
