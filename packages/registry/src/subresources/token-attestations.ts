import { atLeast } from '@orch/apis';
import type { BoundObjectReference, TokenRequestSpec } from '@orch/kinds/authentication';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { validateFormat } from '@orch/machinery/formats';
import type { RequestPath } from '../context/paths.ts';

type Path = Pick<RequestPath, 'names' | 'release'>;

const attestationsPath = 'spec.attestations';
const groupsKey = 'admissionReviewAPIGroups';

const webhookKinds: ReadonlySet<string> = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
]);

/** Reports whether a token is to be bound to the configuration of admission webhooks, which releases since 1.37 know. */
export const isWebhookConfiguration = (
  { names, release }: Path,
  { apiVersion = '', kind = '' }: BoundObjectReference,
): boolean => atLeast(release, '1.37') && webhookKinds.has(kind) && apiVersion === webhookVersion(names);

const webhookVersion = (names: Names): string => `${names.group('admissionregistration')}/v1`;

const isForWebhook = (path: Path, { boundObjectRef }: TokenRequestSpec): boolean =>
  (boundObjectRef ?? undefined) !== undefined && isWebhookConfiguration(path, boundObjectRef ?? {});

/** Only tokens for webhooks confirm claims (1.37). For compatibility, requests for other tokens are not checked further. */
export function misplacedAttestations(path: Path, spec: TokenRequestSpec): readonly FieldError[] {
  const { attestations = {} } = spec;
  if (Object.keys(attestations).length === 0 || isForWebhook(path, spec)) return [];
  const why = 'attestations may only be specified with a webhook bound object reference';
  return [fieldError.invalid(attestationsPath, attestations, why)];
}

/** The rules of the claims that a token for a webhook confirms: one audience, and the group of the objects that are reviewed. */
export function attestationProblems(path: Path, spec: TokenRequestSpec): readonly FieldError[] {
  if (!isForWebhook(path, spec)) return [];
  const { attestations = {}, audiences } = spec;
  return [
    ...((audiences ?? []).length === 1
      ? []
      : [
          fieldError.invalid(
            'spec.audiences',
            audiences ?? [],
            'must be length 1 when bound to a webhook config',
          ),
        ]),
    ...claimProblems(attestations),
  ];
}

function claimProblems(attestations: NonNullable<TokenRequestSpec['attestations']>): readonly FieldError[] {
  const [entry, ...others] = Object.entries(attestations);
  if (entry === undefined || others.length > 0) {
    const why = `webhook bound requests require exactly one ${groupsKey} attestation`;
    return [fieldError.invalid(attestationsPath, attestations, why)];
  }
  const [key, listed] = entry;
  const values = listed ?? [];
  const path = `${attestationsPath}[${key}]`;
  if (key !== groupsKey) return [fieldError.notSupported(path, key, [groupsKey])];
  const [value] = values;
  return value === undefined || values.length > 1
    ? [fieldError.invalid(path, values, 'must specify a single value')]
    : groupProblems(`${path}[0]`, value);
}

function groupProblems(path: string, group: string): readonly FieldError[] {
  if (group === '') return [fieldError.invalid(path, group, 'may not be an empty string')];
  const wrong = group === '*' ? undefined : validateFormat('dns1123subdomain', group);
  return wrong === undefined
    ? []
    : [fieldError.invalid(path, group, `must specify a valid API Group: ${wrong}`)];
}
