import { type Client, typed } from '@orch/client';
import type { EnvironmentVariable } from './environment.ts';

/** Variables with the values of the config maps and secrets that they refer to. Values of fields are not known to a client. */
export const resolvedVariables = (
  variables: readonly EnvironmentVariable[],
  {
    client,
    namespace,
    signal,
  }: { readonly client: Client; readonly namespace: string; readonly signal: AbortSignal },
): Promise<readonly EnvironmentVariable[]> => {
  const { core } = typed(client, namespace);
  return Promise.all(
    variables.map(async (one) => {
      const { configMapKeyRef, secretKeyRef } = one.valueFrom ?? {};
      if (configMapKeyRef) {
        const { data } = await core.v1.configmaps.get(configMapKeyRef.name ?? '', {}, signal);
        return { name: one.name, value: data?.[configMapKeyRef.key] ?? '' };
      }
      if (!secretKeyRef) return one;
      const { data } = await core.v1.secrets.get(secretKeyRef.name ?? '', {}, signal);
      return {
        name: one.name,
        value: Buffer.from(data?.[secretKeyRef.key] ?? '', 'base64').toString('utf8'),
      };
    }),
  );
};
