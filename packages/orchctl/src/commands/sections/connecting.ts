import type { CommandEntry } from '../../cli/command.ts';

const section = 'Containers';

/** Commands that connect to containers. */
export const connectingCommands: readonly CommandEntry[] = [
  {
    name: 'logs',
    section,
    summary: 'Print the logs of containers',
    load: async () => (await import('../connect/logs.ts')).logs,
  },
  {
    name: 'exec',
    section,
    summary: 'Run a command in a container',
    load: async () => (await import('../connect/exec.ts')).exec,
  },
  {
    name: 'attach',
    section,
    summary: 'Connect to the main process of a container',
    load: async () => (await import('../connect/attach.ts')).attach,
  },
  {
    name: 'debug',
    section,
    summary: 'Start a container for debugging a pod or a node',
    load: async () => (await import('../debug/debug.ts')).debug,
  },
  {
    name: 'cp',
    section,
    summary: 'Copy files to and from containers',
    load: async () => (await import('../copy/cp.ts')).cp,
  },
  {
    name: 'port-forward',
    section,
    summary: 'Forward local ports to a pod',
    load: async () => (await import('../connect/port-forward.ts')).portForward,
  },
  {
    name: 'proxy',
    section,
    summary: 'Serve the API on a local port, with the credentials of this program',
    load: async () => (await import('../connect/proxy.ts')).proxy,
  },
];
