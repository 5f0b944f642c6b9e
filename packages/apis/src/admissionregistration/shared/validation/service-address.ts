import type { ServiceReference, WebhookClientConfig } from '@orch/kinds/admissionregistration';
import { type FieldError, fieldError } from '@orch/machinery';
import { dns1123subdomain, validateFormat } from '@orch/machinery/formats';

const wanted = '; desired format: https://host[/path]';

/** `https://host[/path]` and nothing else (spec 4.4). */
export function checkWebhookUrl(path: string, text: string): readonly FieldError[] {
  // The parser is that of browsers: it repairs invalid URLs, and drops an empty query, fragment or user.
  const url = /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text) ? undefined : new URL(text);
  if (url === undefined) return [fieldError.invalid(path, text, `url must be a valid URL${wanted}`)];
  const wrong: readonly (readonly [bad: boolean, why: string])[] = [
    [url.protocol !== 'https:', "'https' is the only allowed URL scheme"],
    [!/^[^:/?#]+:\/\/[^/?#]/.test(text), 'host must be specified'],
    [/^[^/]*\/\/[^/?#]*@/.test(text), 'user information is not permitted in the URL'],
    [url.hash !== '', 'fragments are not permitted in the URL'],
    [url.search !== '', 'query parameters are not permitted in the URL'],
  ];
  return wrong.flatMap(([bad, why]) => (bad ? [fieldError.invalid(path, text, `${why}${wanted}`)] : []));
}

/** Checks an absolute path of segments that could be names. */
function checkServicePath(path: string, text: string): readonly FieldError[] {
  if (text === '' || text === '/') return [];
  const missing = text.startsWith('/') ? [] : [fieldError.invalid(path, text, "must start with a '/'")];
  const inner = text.slice(1, text.endsWith('/') && text.length > 1 ? -1 : undefined);
  const segments = inner.split('/').flatMap((segment, i) => {
    const wrong = segment === '' ? 'may not be empty' : dns1123subdomain(segment);
    return wrong === undefined ? [] : [fieldError.invalid(path, text, `segment[${i}]: ${wrong}`)];
  });
  return [...missing, ...segments];
}

/**
 * Checks a service that the server calls. A missing namespace is reported at the name, and the reverse, for
 * compatibility.
 */
function checkWebhookService(path: string, service: ServiceReference): readonly FieldError[] {
  const wrongPort = validateFormat('portNumber', service.port ?? 443);
  return [
    ...((service.namespace ?? '') === '' ? [fieldError.required(`${path}.name`)] : []),
    ...((service.name ?? '') === '' ? [fieldError.required(`${path}.namespace`)] : []),
    ...(wrongPort === undefined
      ? []
      : [fieldError.invalid(`${path}.port`, service.port, `port is not valid: ${wrongPort}`)]),
    ...checkServicePath(`${path}.path`, service.path ?? ''),
  ];
}

/** Checks that there is either a URL or a service. */
export function checkClientConfig(path: string, config: WebhookClientConfig): readonly FieldError[] {
  const { url, service } = config;
  if ((url === undefined) === (service === undefined)) {
    return [fieldError.required(path, 'exactly one of url or service is required')];
  }
  return service === undefined
    ? checkWebhookUrl(`${path}.url`, url ?? '')
    : checkWebhookService(`${path}.service`, service);
}
