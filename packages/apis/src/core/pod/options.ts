import { f, items, struct } from '@orch/schema';

export const PodExecOptions = struct(
  'core.v1.PodExecOptions',
  'Options of a request that runs a command in a container.',
  {
    stdin: f.bool(1, { doc: 'Sends standard input.' }),
    stdout: f.bool(2, { doc: 'Returns standard output.' }),
    stderr: f.bool(3, { doc: 'Returns standard error.' }),
    tty: f.bool(4, { doc: 'Allocates a terminal for the command.' }),
    container: f.string(5, { doc: 'Container to run it in; the only one when empty.' }),
    command: f.list(6, items.string, { doc: 'The command and its arguments.', presence: 'always' }),
  },
  { typeMeta: true },
);

export const PodAttachOptions = struct(
  'core.v1.PodAttachOptions',
  'Options of a request that attaches to a container.',
  {
    stdin: f.bool(1, { doc: 'Sends standard input.' }),
    stdout: f.bool(2, { doc: 'Returns standard output.' }),
    stderr: f.bool(3, { doc: 'Returns standard error.' }),
    tty: f.bool(4, { doc: 'The container has a terminal.' }),
    container: f.string(5, { doc: 'Container to attach to; the only one when empty.' }),
  },
  { typeMeta: true },
);

export const PodPortForwardOptions = struct(
  'core.v1.PodPortForwardOptions',
  'Options of a request that forwards ports of a pod.',
  {
    ports: f.list(1, items.int32, { doc: 'Ports to forward, for the web socket form.' }),
  },
  { typeMeta: true },
);

export const PodProxyOptions = struct(
  'core.v1.PodProxyOptions',
  'Options of a request that is forwarded to a pod.',
  {
    path: f.string(1, { doc: 'Path of the request to the pod.' }),
  },
  { typeMeta: true },
);

export const PodLogOptions = struct(
  'core.v1.PodLogOptions',
  'Options of a request for the log of a container.',
  {
    container: f.string(1, { doc: 'Container whose log it is; the only one when empty.' }),
    follow: f.bool(2, { doc: 'Follows the log: sends new lines as they are written.' }),
    previous: f.bool(3, { doc: 'Returns the log of the previous run.' }),
    sinceSeconds: f.int64(4, { doc: 'Omits lines that are older, in seconds.', presence: 'pointer' }),
    sinceTime: f.time(5, { doc: 'Omits lines that are older than this time.', presence: 'pointer' }),
    timestamps: f.bool(6, { doc: 'Prefixes every line with its time.' }),
    tailLines: f.int64(7, { doc: 'Only the last lines.', presence: 'pointer' }),
    limitBytes: f.int64(8, { doc: 'Maximum number of bytes.', presence: 'pointer' }),
    insecureSkipTLSVerifyBackend: f.bool(9, {
      doc: 'Does not verify the certificate of the node.',
      since: '1.17',
    }),

    stream: f.string(10, {
      doc: 'All, Stdout or Stderr: the output to return.',
      presence: 'pointer',
      since: 'never',
      gate: 'PodLogsQuerySplitStreams',
    }),
  },
  { typeMeta: true },
);
