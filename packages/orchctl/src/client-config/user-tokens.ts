import type { RefreshedTokens, StoredTokens, UserOfFile } from '@orch/client';
import { asText, type JsonObject, objectAt } from '@orch/machinery/json';
import type { YamlChange } from '@orch/machinery/yaml';
import type { Io } from '../io.ts';
import { ConfigSet } from './config-set.ts';

/** `user.auth-provider.config` of an entry of the users. */
export const providerConfig = (user: JsonObject): JsonObject =>
  objectAt(objectAt(user, 'auth-provider'), 'config');

/** A change of one of its fields; a field without a value is removed. */
export const providerChange = (field: string, value?: string): YamlChange => {
  const path = ['auth-provider', 'config', field];
  return value === undefined ? { path } : { path, value };
};

/** The tokens of a user as they are stored now. Rejects with a CommandError. */
export async function readTokens({ name, file }: UserOfFile, io: Io): Promise<StoredTokens> {
  const user = ConfigSet.read({ clientConfig: file }, io).entries('users').get(name) ?? {};
  const text = (field: string): string | undefined => asText(providerConfig(user)[field]) || undefined;
  return { idToken: text('id-token'), refreshToken: text('refresh-token') };
}

/** Replaces the tokens of a user. Rejects with a CommandError and errors of the file system. */
export async function storeTokens(
  { name, file }: UserOfFile,
  { idToken, refreshToken }: RefreshedTokens,
  io: Io,
): Promise<void> {
  await ConfigSet.read({ clientConfig: file }, io).setFields('users', name, [
    providerChange('id-token', idToken),
    providerChange('refresh-token', refreshToken),
  ]);
}
