import { type Impersonation, impersonatingCredentials, type LoadedConfig, noCredentials } from '@orch/client';

/** A configuration whose requests the administrator of another one sends as a user. */
export function configAs(config: LoadedConfig, user: Impersonation): LoadedConfig {
  const { settings, transport } = config;
  const identity = impersonatingCredentials(noCredentials(), user);
  return {
    ...config,
    settings: { ...settings, credentials: impersonatingCredentials(settings.credentials, user) },
    transport: {
      async send(request, signal) {
        const { headers } = await identity.current(signal);
        return transport.send({ ...request, headers: { ...request.headers, ...headers } }, signal);
      },
      reset: (reason) => transport.reset(reason),
      close: () => transport.close(),
    },
  };
}
