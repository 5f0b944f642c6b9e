import {
  choiceFlag,
  durationFlag,
  type Flag,
  type FlagSpec,
  type FlagValues,
  listFlag,
  repeatedFlag,
  switchFlag,
  textFlag,
  wholeFlag,
} from '@orch/program/flags';

const global = (name: string, help: string, short?: string): FlagSpec => ({
  name,
  help,
  section: 'Global flags',
  ...(short !== undefined && { short }),
});

/** The same flag, which also accepts a number of seconds without a unit. */
const inSeconds = (flag: Flag<number>): Flag<number> => ({
  ...flag,
  read: (text, earlier) => flag.read(/^[1-9]\d*$/.test(text) ? `${text}s` : text, earlier),
});

/** The flags of all commands: the server, the user and the namespace. */
export const globalFlags = {
  help: switchFlag(global('help', 'Show the help of a command.', 'h')),
  clientConfig: textFlag({
    ...global('client-config', 'The client configuration file.'),
    alias: 'kubeconfig',
  }),
  preferences: textFlag({
    ...global(
      'preferences',
      'The file with the policy of credential plugins; off for none. Otherwise that of ORCHRC or KUBERC, or ~/.orch/orchrc or ~/.kube/kuberc.',
    ),
    alias: 'kuberc',
  }),
  cacheDir: textFlag(global('cache-dir', 'The folder of what servers serve; ~/.orch/cache when not given.')),
  context: textFlag(global('context', 'The context of the client configuration.')),
  cluster: textFlag(
    global('cluster', 'The cluster of the client configuration, instead of that of the context.'),
  ),
  user: textFlag(global('user', 'The user of the client configuration, instead of that of the context.')),
  namespace: textFlag(global('namespace', 'The namespace of the request.', 'n')),
  server: textFlag(global('server', 'URL of the API server.', 's')),
  proxyUrl: textFlag(
    global('proxy-url', 'The proxy of connections to the server; otherwise that of the cluster or variable.'),
  ),
  token: textFlag(global('token', 'Bearer token for authentication.')),
  certificateAuthority: textFlag(
    global('certificate-authority', 'File with the authorities of the certificate of the server.'),
  ),
  tlsServerName: textFlag(
    global('tls-server-name', 'The name for which the certificate of the server must be valid.'),
  ),
  skipTlsVerify: switchFlag(
    global(
      'insecure-skip-tls-verify',
      'Accept every certificate of the server. Connections are then insecure.',
    ),
  ),
  clientCertificate: textFlag(global('client-certificate', 'File with the client certificate.')),
  clientKey: textFlag(global('client-key', 'File with the key of the client certificate.')),
  as: textFlag(global('as', 'The user to impersonate.')),
  asGroups: listFlag(global('as-group', 'A group to impersonate; may be repeated.')),
  asUid: textFlag(global('as-uid', 'The uid to impersonate.')),
  asUserExtra: repeatedFlag(
    global('as-user-extra', 'An extra value KEY=VALUE of the user to impersonate; may be repeated.'),
  ),
  requestTimeoutMs: inSeconds(
    durationFlag(
      global(
        'request-timeout',
        'Maximum time without data of a response, such as 30s, or a number of seconds; 0 is one minute. get --watch ends when this time has passed; with 0 it has no limit.',
      ),
      0,
    ),
  ),
  color: choiceFlag(
    global('color', 'Colors in tables; auto is those of a terminal, without the variable NO_COLOR.'),
    ['auto', 'always', 'never'],
    'auto',
  ),
  warningsAsErrors: switchFlag(
    global('warnings-as-errors', 'Treat warnings of the server as errors, with exit status 1.'),
  ),
  verbosity: wholeFlag(
    global('v', 'Verbosity of the log on standard error: 6 logs requests, 8 also their headers and bodies.'),
    0,
    {
      least: 0,
      most: 10,
    },
  ),
} as const;

export type GlobalValues = FlagValues<typeof globalFlags>;
