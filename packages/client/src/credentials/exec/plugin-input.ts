import type { ExecConfig, ExecContext } from './config.ts';

/** The ExecCredential for a plugin, as JSON (access control, 2.3). */
export function pluginInput(config: ExecConfig, context: ExecContext, isInteractive: boolean): string {
  const { apiVersion, provideClusterInfo } = config;
  const { cluster } = context;
  return JSON.stringify({
    apiVersion,
    kind: 'ExecCredential',
    spec: {
      ...(provideClusterInfo && cluster !== undefined && { cluster }),
      interactive: isInteractive,
    },
  });
}
