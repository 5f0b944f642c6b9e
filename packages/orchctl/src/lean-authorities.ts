/**
 * Empties the store of authorities that connections without authorities use, in a process that was started for it: reading the store takes as
 * long as the rest of a short command. Connections without authorities then get those that come with the runtime.
 */
export function useLeanAuthorities({ execArgv }: Pick<NodeJS.Process, 'execArgv'> = process): void {
  if (!execArgv.includes('--use-openssl-ca')) return;
  process.getBuiltinModule('node:tls').setDefaultCACertificates([]);
}
