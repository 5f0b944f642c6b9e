import type { ServiceReferenceV1alpha1, WebhookClientConfigV1alpha1 } from '@orch/kinds/auditregistration';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../validation-rules.ts';

const wanted = 'desired format: scheme://host[/path]';

/** The problem of the URL of a webhook. */
function urlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return `url must be a valid URL; ${wanted}`;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `scheme must be http or https; ${wanted}`;
  if (url.host === '') return `host must be specified; ${wanted}`;
  if (url.username !== '' || url.password !== '') return 'user information is not permitted in the URL';
  if (text.includes('#')) return 'fragments are not permitted in the URL';
  return text.includes('?') ? 'query parameters are not permitted in the URL' : undefined;
}

/** Checks that a webhook has exactly one address. */
export const checkClientConfig: Check<WebhookClientConfigV1alpha1> = (config, { path }) => {
  const { url, service } = config;
  if ((url === undefined) === (service === undefined)) {
    return [fieldError.required(path, 'exactly one of url or service is required')];
  }
  const wrong = url === undefined ? undefined : urlProblem(url ?? '');
  return wrong === undefined ? [] : [fieldError.invalid(`${path}.url`, url, wrong)];
};

/** Checks that a path is absolute and consists of valid names. */
export const checkServicePath: Check<ServiceReferenceV1alpha1> = (
  service,
  { path },
): readonly FieldError[] => {
  const at = `${path}.path`;
  const text = service.path ?? '';
  if (text === '' || text === '/') return [];
  if (!text.startsWith('/')) return [fieldError.invalid(at, text, "must start with a '/'")];
  const parts = text.replace(/\/$/, '').slice(1).split('/');
  return parts.flatMap((part) => checkFormat('dns1123subdomain', at, part));
};
