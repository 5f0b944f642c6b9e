import type { ConnectionSettings } from './connection-settings.ts';
import type { HttpProtocol, Route } from './dial.ts';
import { parseEndpoint } from './endpoint.ts';
import { parseProxy } from './proxy.ts';

/** The route of connections with these settings. Throws a TypeError for settings without a valid server. */
export function routeOf(
  settings: ConnectionSettings,
  connectTimeoutMs: number,
  protocols?: readonly HttpProtocol[],
): Route {
  return {
    endpoint: parseEndpoint(settings.server),
    isUnverified: settings.insecureSkipTlsVerify,
    connectTimeoutMs,
    ...(protocols === undefined ? {} : { protocols }),
    ...(settings.proxyUrl === undefined ? {} : { proxy: parseProxy(settings.proxyUrl) }),
    ...(settings.ca === undefined ? {} : { ca: settings.ca }),
    ...(settings.tlsServerName === undefined ? {} : { serverName: settings.tlsServerName }),
  };
}
