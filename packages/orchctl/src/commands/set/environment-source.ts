import { typed } from '@orch/client';
import { cIdentifier } from '@orch/machinery/formats';
import { asStringMap } from '@orch/machinery/json';
import { UsageError } from '@orch/program/flags';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { readResourceWords } from '../../resources/resource-words.ts';
import type { Session } from '../../session/session.ts';
import type { EnvironmentVariable } from './environment.ts';

export interface SourceRequest {
  readonly session: Session;
  readonly keys: readonly string[];
  readonly prefix: string;
  readonly err: Io['err'];
  readonly signal: AbortSignal;
}

/** Variables that refer to the keys of `configmap/NAME` or `secret/NAME`, sorted by key. */
export async function variablesFrom(
  word: string,
  { session, keys, prefix, err, signal }: SourceRequest,
): Promise<readonly EnvironmentVariable[]> {
  const [source, ...more] = await readResourceWords([word], session.resources);
  const [name = ''] = source?.names ?? [];
  const kind = source?.resource.kind;
  if (name === '' || more.length > 0 || (kind !== 'ConfigMap' && kind !== 'Secret'))
    throw new UsageError(
      `unsupported resource specified in --from: ${word}; it must be configmap/NAME or secret/NAME`,
    );
  const { core } = typed(session.client, session.namespace);
  const { data } = await (kind === 'Secret' ? core.v1.secrets : core.v1.configmaps).get(name, {}, signal);
  const missing = keys.find((key) => data?.[key] === undefined);
  if (missing !== undefined) throw new CommandError(`${word} has no key ${JSON.stringify(missing)}`);
  return Object.keys(asStringMap(data))
    .toSorted()
    .filter((key) => keys.length === 0 || keys.includes(key))
    .map((key) => {
      const variable = variableName(key);
      if (variable !== key) err.write(`Warning: key ${key} transferred to ${variable}\n`);
      const valueFrom =
        kind === 'Secret' ? { secretKeyRef: { name, key } } : { configMapKeyRef: { name, key } };
      return { name: `${prefix}${variable}`, valueFrom };
    });
}

/** The name of the variable for a key. */
const variableName = (key: string): string =>
  (cIdentifier(key) === undefined ? key : key.replaceAll(/[^A-Za-z0-9_]/g, '_')).toUpperCase();
