import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { asObjects } from '@orch/machinery/json';
import type { YamlChange } from '@orch/machinery/yaml';
import { listFlag, switchFlag, textFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { ConfigSet, neededName } from '../../client-config/config-set.ts';
import type { Io } from '../../io.ts';
import { contentOf } from './view.ts';

const section = 'Flags';

const embedFlag = {
  embedCerts: switchFlag({
    name: 'embed-certs',
    help: 'Store the content of certificates and keys instead of their paths.',
    section,
  }),
} as const;

/** Changes for a file that is stored as a path or as its content. */
interface FileChange {
  readonly embeds: boolean;
  readonly io: Io;
  /** The configuration file that names the file. */
  readonly inFile: string;
}

function fileChanges(field: string, path: string, { embeds, io, inFile }: FileChange): readonly YamlChange[] {
  if (path === '') return [];
  const full = resolve(io.folder, path);
  return embeds
    ? [{ path: [`${field}-data`], value: contentOf(full).toString('base64') }, { path: [field] }]
    : [{ path: [field], value: storedPath(full, resolve(io.folder, inFile)) }, { path: [`${field}-data`] }];
}

/**
 * The path as stored, as in kubectl: relative to the configuration file for a file in or below its folder, so that both
 * can be moved.
 */
function storedPath(full: string, inFile: string): string {
  const path = relative(dirname(inFile), full);
  return path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? full : path;
}

const textChange = (field: string, value: string): readonly YamlChange[] =>
  value === '' ? [] : [{ path: [field], value }];

export const setCluster = command({
  usage:
    'config set-cluster CLUSTER [--server=URL] [--certificate-authority=FILE] [--insecure-skip-tls-verify] [flags]',
  about: 'Creates a cluster or changes the given fields of an existing one.',
  examples: [
    { comment: 'The address', line: 'orchctl config set-cluster local --server=https://127.0.0.1:6443' },
    {
      comment: 'With its authority in the file',
      line: 'orchctl config set-cluster local --certificate-authority=ca.crt --embed-certs',
    },
  ],
  flags: embedFlag,
  async run({ flags, words, globals, io }) {
    const name = neededName(words, 'config set-cluster CLUSTER');
    const { server, tlsServerName, skipTlsVerify, certificateAuthority, proxyUrl } = globals;
    if (skipTlsVerify && certificateAuthority !== '')
      throw new UsageError('you cannot specify a certificate authority and insecure mode at the same time');
    const config = ConfigSet.read(globals, io);
    const inFile = config.pathFor('clusters', name);
    await config.setFields('clusters', name, [
      ...textChange('server', server),
      ...textChange('tls-server-name', tlsServerName),
      ...textChange('proxy-url', proxyUrl),
      ...fileChanges('certificate-authority', certificateAuthority, { embeds: flags.embedCerts, io, inFile }),
      // A cluster has an authority, or verification is disabled, but not both.
      ...(certificateAuthority === '' ? [] : [{ path: ['insecure-skip-tls-verify'] }]),
      ...(skipTlsVerify
        ? [
            { path: ['insecure-skip-tls-verify'], value: true },
            { path: ['certificate-authority'] },
            { path: ['certificate-authority-data'] },
          ]
        : []),
    ]);
    io.out.write(`Cluster ${JSON.stringify(name)} set.\n`);
    return 0;
  },
});

export const setCredentials = command({
  usage:
    'config set-credentials USER [--token=TOKEN] [--client-certificate=FILE --client-key=FILE] [--username=NAME --password=TEXT] [--auth-provider=NAME] [--exec-command=PROGRAM] [flags]',
  about: 'Creates a user or changes the given credentials of an existing one.',
  examples: [
    {
      comment: 'A client certificate in the file',
      line: 'orchctl config set-credentials admin --client-certificate=a.crt --client-key=a.key --embed-certs',
    },
    {
      comment: 'A credential plugin',
      line: 'orchctl config set-credentials dev --exec-command=get-token --exec-arg=--cluster=dev',
    },
  ],
  flags: {
    ...embedFlag,
    username: textFlag({ name: 'username', help: 'The user name of basic authentication.', section }),
    password: textFlag({ name: 'password', help: 'The password of basic authentication.', section }),
    authProvider: textFlag({ name: 'auth-provider', help: 'The authentication provider: oidc.', section }),
    authProviderArgs: listFlag({
      name: 'auth-provider-arg',
      help: 'KEY=VALUE for the authentication provider, or KEY- to remove one.',
      section,
    }),
    execCommand: textFlag({ name: 'exec-command', help: 'The credential plugin.', section }),
    execApiVersion: textFlag({ name: 'exec-api-version', help: 'The API version of the plugin.', section }),
    execArgs: listFlag({ name: 'exec-arg', help: 'New arguments of the plugin.', section }),
    execEnv: listFlag({
      name: 'exec-env',
      help: 'NAME=VALUE for the environment of the plugin, or NAME- to remove one.',
      section,
    }),
    execInteractiveMode: textFlag({
      name: 'exec-interactive-mode',
      help: 'Whether the plugin uses standard input: Never, IfAvailable or Always.',
      section,
    }),
    execProvideClusterInfo: switchFlag({
      name: 'exec-provide-cluster-info',
      help: 'Give the plugin the connection of the cluster.',
      section,
    }),
  },
  async run({ flags, words, globals, io }) {
    const name = neededName(words, 'config set-credentials USER');
    const { token, clientCertificate, clientKey } = globals;
    if (token !== '' && flags.username !== '')
      throw new UsageError('you cannot specify more than one authentication method: --token, --username');
    const config = ConfigSet.read(globals, io);
    const files = { embeds: flags.embedCerts, io, inFile: config.pathFor('users', name) };
    const exec = config.entries('users').get(name)?.['exec'];
    await config.setFields('users', name, [
      ...textChange('token', token),
      ...textChange('username', flags.username),
      ...textChange('password', flags.password),
      ...fileChanges('client-certificate', clientCertificate, files),
      ...fileChanges('client-key', clientKey, files),
      ...nested('auth-provider', [...textChange('name', flags.authProvider)]),
      ...nested('auth-provider', nested('config', flags.authProviderArgs.map(keyChange))),
      ...nested('exec', [
        ...textChange('command', flags.execCommand),
        ...textChange('apiVersion', flags.execApiVersion),
        ...textChange('interactiveMode', flags.execInteractiveMode),
        ...clusterInfoChange(exec, flags),
        ...(flags.execArgs.length > 0 ? [{ path: ['args'], value: flags.execArgs }] : []),
        ...environmentChange(exec, flags.execEnv),
      ]),
    ]);
    io.out.write(`User ${JSON.stringify(name)} set.\n`);
    return 0;
  },
});

/** A new plugin gets the field, also when it is false. */
const clusterInfoChange = (
  exec: unknown,
  { execCommand, execProvideClusterInfo: value }: { execCommand: string; execProvideClusterInfo: boolean },
): readonly YamlChange[] =>
  value || (exec === undefined && execCommand !== '') ? [{ path: ['provideClusterInfo'], value }] : [];

const nested = (field: string, changes: readonly YamlChange[]): readonly YamlChange[] =>
  changes.map((change) => ({ ...change, path: [field, ...change.path] }));

/** `KEY=VALUE` sets and `KEY-` removes. */
function keyChange(text: string): YamlChange {
  const at = text.indexOf('=');
  if (at > 0) return { path: [text.slice(0, at)], value: text.slice(at + 1) };
  if (text.endsWith('-') && text.length > 1) return { path: [text.slice(0, -1)] };
  throw new UsageError(`${JSON.stringify(text)} must have the form KEY=VALUE or KEY-`);
}

/** The variables of the plugin with the changes. */
function environmentChange(exec: unknown, texts: readonly string[]): readonly YamlChange[] {
  if (texts.length === 0) return [];
  const current = asObjects((exec as { env?: unknown } | undefined)?.env);
  const variables = new Map(current.map((one) => [one['name'], one['value']]));
  for (const { path, value } of texts.map(keyChange)) {
    if (value === undefined) variables.delete(path[0]);
    else variables.set(path[0], value);
  }
  return [{ path: ['env'], value: [...variables].map(([name, value]) => ({ name, value })) }];
}
