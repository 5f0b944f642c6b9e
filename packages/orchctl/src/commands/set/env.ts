import { type Client, typed } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { envVarName } from '@orch/machinery/formats';
import { type FlagValues, listFlag, switchFlag, textFlag, UsageError } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { readInput } from '../../files/read-files.ts';
import { textsFlag } from '../generate/generator.ts';
import {
  changedEnvironment,
  type EnvironmentChanges,
  type EnvironmentVariable,
  variableText,
} from './environment.ts';
import { variablesFrom } from './environment-source.ts';
import {
  isNamed,
  mapContainers,
  podSpecOf,
  section,
  setFlags,
  setOnTargets,
  setTargets,
  withPodSpec,
} from './set-command.ts';

const flags = {
  ...setFlags,
  containers: textFlag(
    { name: 'containers', short: 'c', help: 'The containers; * stands for any characters.', section },
    '*',
  ),
  env: textsFlag({ name: 'env', short: 'e', help: 'KEY=VALUE or KEY-, as an argument.', section }),
  from: textFlag({ name: 'from', help: 'Variables for the keys of configmap/NAME or secret/NAME.', section }),
  keys: listFlag({ name: 'keys', help: 'With --from: only these keys.', section }),
  list: switchFlag({ name: 'list', help: 'Print the variables, and change nothing more.', section }),
  overwrite: switchFlag({ name: 'overwrite', help: 'Replace existing values.', section }, true),
  prefix: textFlag({ name: 'prefix', help: 'With --from: put this before the names.', section }),
  resolve: switchFlag({ name: 'resolve', help: 'With --list: print the values of references.', section }),
} as const;

type EnvInvocation = Invocation<FlagValues<typeof flags>>;

export const env = command({
  usage: 'set env (TYPE NAME | TYPE/NAME | -f FILE) (KEY=VALUE | KEY-)... [flags]',
  about:
    'Sets, removes and lists environment variables of containers of pods and of workloads. KEY- removes one; the argument - reads KEY=VALUE lines from standard input.',
  examples: [
    { comment: 'Set one and remove another', line: 'orchctl set env deployment/web MODE=fast DEBUG-' },
    {
      comment: 'From a config map',
      line: 'orchctl set env deployment/web --from=configmap/app --prefix=APP_',
    },
    { comment: 'List', line: 'orchctl set env deployment/web --list' },
  ],
  flags,
  async run(invocation) {
    const { objects, changes: own } = await splitChanges(invocation);
    const { flags: given, io, signal } = invocation;
    if (given.list) await list(invocation, objects);
    const set = [...own.set];
    if (given.from !== '') {
      const { keys, prefix } = given;
      const session = await invocation.session();
      set.push(...(await variablesFrom(given.from, { session, keys, prefix, err: io.err, signal })));
    }
    if (given.list && set.length + own.removed.size === 0) return 0;
    return setOnTargets(invocation, {
      done: 'env updated',
      words: objects,
      change(object, target) {
        const spec = podSpecOf(object, target);
        const { kind, resource } = target.resource;
        if (!spec.containers.some(({ name }) => isNamed(given.containers, name)))
          io.err.write(
            `Warning: ${kind}/${target.name} does not have any containers matching ${JSON.stringify(given.containers)}\n`,
          );
        const options = { overwrite: given.overwrite, owner: `${resource}/${target.name}` };
        return withPodSpec(
          object,
          target,
          mapContainers(spec, (one) => {
            if (!isNamed(given.containers, one.name)) return one;
            const variables = changedEnvironment(one.env ?? [], { ...own, set }, options);
            const { env: _, ...rest } = one;
            return variables.length === 0 ? rest : { ...rest, env: [...variables] };
          }),
        );
      },
    });
  },
});

async function splitChanges({
  words,
  flags: given,
  io,
}: EnvInvocation): Promise<{ readonly objects: readonly string[]; readonly changes: EnvironmentChanges }> {
  const objects: string[] = [];
  const removed = new Set<string>();
  const set = new Map<string, EnvironmentVariable>();
  const input = words.includes('-')
    ? (await readInput(io)).split('\n').filter((line) => line.trim() !== '')
    : [];
  for (const word of [...words, ...given.env, ...input]) {
    const at = word.indexOf('=');
    if (word === '-') continue;
    if (at > 0)
      set.set(word.slice(0, at), { name: variableName(word.slice(0, at)), value: word.slice(at + 1) });
    else if (word.endsWith('-') && objects.length + given.filename.length > 0) removed.add(word.slice(0, -1));
    else objects.push(word);
  }
  return { objects, changes: { set: [...set.values()], removed } };
}

function variableName(name: string): string {
  const problem = envVarName(name);
  if (problem !== undefined)
    throw new UsageError(`invalid name of a variable ${JSON.stringify(name)}: ${problem}`);
  return name;
}

async function list(invocation: EnvInvocation, objects: readonly string[]): Promise<void> {
  const { io, signal, flags: given } = invocation;
  const { client, namespace } = await invocation.session();
  for (const target of await setTargets(invocation, objects)) {
    const object = given.local
      ? (target.document?.object as unknown as ApiObject)
      : await client.resource(target.resource, target.namespace).get(target.name, {}, signal);
    const spec = podSpecOf(object, target);
    for (const one of [...(spec.initContainers ?? []), ...spec.containers]) {
      if (!isNamed(given.containers, one.name)) continue;
      io.out.write(`# ${target.resource.kind} ${target.name}, container ${one.name}\n`);
      const where = { client, namespace: target.namespace ?? namespace, signal };
      const variables = given.resolve ? await resolvedVariables(one.env ?? [], where) : (one.env ?? []);
      for (const variable of variables) io.out.write(`${variableText(variable)}\n`);
    }
  }
}

/** Variables with the values of the config maps and secrets that they refer to. Values of fields are not known to a client. */
const resolvedVariables = (
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
