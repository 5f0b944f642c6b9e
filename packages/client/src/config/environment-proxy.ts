import type { ConnectionSettings } from '../transport/connection-settings.ts';
import { parseEndpoint } from '../transport/endpoint.ts';
import { parseProxy } from '../transport/proxy.ts';
import { ConfigError } from './config-error.ts';
import { isListed, isLocal } from './no-proxy.ts';
import { parseProblem } from './parse-problem.ts';

/** Environment variables of a program. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings with the proxy that the environment has for their server, for programs that use the variables as those
 * in Go do: `HTTPS_PROXY` for https, `HTTP_PROXY` for http, `NO_PROXY` for exceptions, each also in lower case. A proxy
 * of the settings takes precedence; connections to this machine use none. Throws a ConfigError without the value, which
 * may contain a password, and a TypeError for settings without a valid server.
 */
export function withEnvironmentProxy(
  settings: ConnectionSettings,
  environment: Environment,
): ConnectionSettings {
  if (settings.proxyUrl !== undefined) return settings;
  const proxyUrl = environmentProxy(settings.server, environment);
  return proxyUrl === undefined ? settings : { ...settings, proxyUrl };
}

function environmentProxy(server: string, environment: Environment): string | undefined {
  const endpoint = parseEndpoint(server);
  const found = variable(environment, endpoint.isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (found === undefined) return undefined;
  // A CGI server sets HTTP_PROXY to the field `Proxy` of the request that it serves.
  if (!endpoint.isSecure && given(environment['REQUEST_METHOD']) !== undefined)
    throw new ConfigError('is not used where REQUEST_METHOD is set, as in CGI programs', {
      field: found.name,
    });
  const exceptions = variable(environment, 'NO_PROXY')?.value ?? '';
  if (isLocal(endpoint) || isListed(exceptions, endpoint)) return undefined;
  const proxyUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(found.value) ? found.value : `http://${found.value}`;
  const problem = parseProblem('proxy-url', () => parseProxy(proxyUrl));
  if (problem !== undefined) throw new ConfigError(problem, { field: found.name });
  return proxyUrl;
}

/** A variable in upper case, then in lower case; an empty one counts as unset. */
function variable(environment: Environment, upper: string) {
  for (const name of [upper, upper.toLowerCase()]) {
    const value = given(environment[name]);
    if (value !== undefined) return { name, value };
  }
  return undefined;
}

const given = (value: string | undefined): string | undefined => (value === '' ? undefined : value);
