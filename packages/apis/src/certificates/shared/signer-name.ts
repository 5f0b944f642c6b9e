import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { dns1123subdomain } from '@orch/machinery/formats';

const MAX_DOMAIN = 253;
const MAX_LABEL = 63;
/** Domain, slash and path, where the path leaves room for a namespace before a name: `example.com/namespace.name`. */
const MAX_SIGNER_NAME = MAX_DOMAIN + 1 + MAX_DOMAIN + 1 + MAX_LABEL;

const pathPart = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

function domainProblem(domain: string): string | undefined {
  const wrong = dns1123subdomain(domain);
  if (wrong !== undefined) return `validating label ${JSON.stringify(domain.slice(0, 64))}: ${wrong}`;
  return domain.includes('.') ? undefined : 'should be a domain with at least two segments separated by dots';
}

function pathProblem(path: string): string | undefined {
  return path.split('.').every((part) => pathPart.test(part))
    ? undefined
    : 'the part after the slash must consist of lower case alphanumeric characters, - or .';
}

/** Checks a signer name: a domain of at least two labels, a slash and a path. */
export function checkSignerName(field: string, name: string): readonly FieldError[] {
  if (name === '') return [fieldError.required(field)];
  if (name.length > MAX_SIGNER_NAME) return [fieldError.tooLong(field, MAX_SIGNER_NAME)];
  const [domain = '', path, ...rest] = name.split('/');
  if (path === undefined || rest.length > 0) {
    const message = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [fieldError.invalid(field, name, message)];
  }
  return [domainProblem(domain), pathProblem(path)].flatMap((wrong) =>
    wrong === undefined ? [] : [fieldError.invalid(field, name, wrong)],
  );
}

/** Reports whether a signer is one of the project, whose certificates are valid for a day at most. */
export function isOwnSigner(name: string, { legacyUnknown }: Names['signers']): boolean {
  const [domain = ''] = name.split('/', 1);
  const [own = ''] = legacyUnknown.split('/', 1);
  return domain === own || domain.endsWith(`.${own}`);
}
